/* Light or dark, as the settings of this browser say; loaded before anything is painted. */
const theme = localStorage.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;
