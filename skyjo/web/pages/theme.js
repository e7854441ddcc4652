/* Light or dark, and cues for colours, as the settings of this browser say; loaded before anything is painted. Every page has the settings. */
try {
  const theme = JSON.parse(localStorage.getItem("skyjo.theme") ?? "null");
  if (theme) document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("skyjo.cues") === "true") document.documentElement.dataset.cues = "";
} catch {
  // storage is switched off
}
document.addEventListener("click", async event => {
  const isAsked = event.target instanceof Element && event.target.closest("#settings-button");
  if (isAsked) (await import("./settings.js")).openSettings();
});
