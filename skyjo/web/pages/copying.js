/** A text to be copied: in a field that shows it, with a button. */

import { make, setText } from "./dom.js";

/** The field with its button. @param {any} field */
export function copyable(field) {
  const button = make("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    field.select();
    const isCopied = await navigator.clipboard?.writeText(field.value).then(
      () => true,
      () => false,
    );
    setText(button, isCopied || document.execCommand("copy") ? "Copied" : "Copy it by hand"); // the old way where there is no https
  });
  field.addEventListener("focus", () => field.select());
  return make("div", { class: "copy" }, field, button);
}
