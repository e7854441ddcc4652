/* Light or dark, as the settings of this browser say; loaded before anything is painted. */
try {
  const theme = JSON.parse(localStorage.getItem("skyjo.theme") ?? "null");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // storage is switched off
}
