// What a reader would stumble over on a page, in words: text that is cut off, covered, or outside its box, and buttons that lie under something.
() => {
  const SHORTENED = ".name *, .who, .scores thead th, .where"; // names may end with dots where space is short
  const BOXES = "button:not(.card), .button, td, th, .paper, .option, .seat";
  const MAIN = "button.main, .rival, #choices button, button.card:not([aria-disabled])";
  const BAR = ".transport"; // lies at the foot of the screen, and one scrolls to what is behind it
  const faults = [];
  const named = node =>
    `${node.tagName.toLowerCase()}${node.id && `#${node.id}`} “${node.textContent.trim().slice(0, 30)}”`;
  const isInside = (one, other) =>
    one.left >= other.left - 1
    && one.right <= other.right + 1
    && one.top >= other.top - 1
    && one.bottom <= other.bottom + 1;
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  const layer = node => {
    while (node && !["fixed", "sticky"].includes(getComputedStyle(node).position)) node = node.parentElement;
    return node;
  };
  const hides = style => /hidden|clip/.test(style.overflow);
  const scrolls = style => /auto|scroll/.test(style.overflow);
  const top = box => document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  const isOn = box => isInside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  const covers = (node, box) => {
    const found = top(box);
    const isSeen =
      !found?.matches("input[type=range]") && !(found?.matches("input") && found.closest("label")?.contains(node));
    return found && isSeen && !found.contains(node) && !node.contains(found) && layer(found) === layer(node)
      ? found
      : null;
  };

  /** What is seen of a text, unless one has to scroll for it; it should be whole, and inside the boxes around it. */
  function seen(parent, whole) {
    let box = whole;
    for (let around = parent; around && around !== document.body; around = around.parentElement) {
      const [style, outer] = [getComputedStyle(around), around.getBoundingClientRect()];
      if (style.display === "inline" || style.display === "contents") continue;
      if (scrolls(style) && !isInside(box, outer)) return null;
      if (!isInside(box, outer) && style.textOverflow === "ellipsis" && around.matches(SHORTENED)) {
        box = {
          left: Math.max(box.left, outer.left),
          top: Math.max(box.top, outer.top),
          right: Math.min(box.right, outer.right),
          bottom: Math.min(box.bottom, outer.bottom),
        };
      } else if (!isInside(box, outer) && (hides(style) || around.matches(BOXES)) && !around.matches("svg")) {
        faults.push(`${hides(style) ? "cut off" : `outside ${named(around)}`}: ${named(parent)}`);
        return null;
      }
      if (/absolute|fixed/.test(style.position)) break;
    }
    return box;
  }

  const scope = document.querySelector("dialog[open]") ?? document.body;
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const [text, parent] = [walker.currentNode, walker.currentNode.parentElement];
    if (
      !text.data.trim()
      || parent.closest("script, style, option, noscript, .unseen, .corner, .pips")
      || getComputedStyle(parent).clipPath !== "none"
      || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const whole of range.getClientRects()) {
      const box = whole.width < 1 ? null : seen(parent, whole);
      if (!box) continue;
      const above = isOn(box) && covers(parent, box);
      if (above) faults.push(`${named(above)} covers ${named(parent)}`);
      texts.push({ parent, box });
    }
  }
  texts.forEach((one, at) => {
    const other = texts
      .slice(at + 1)
      .find(({ parent, box }) => parent !== one.parent && meet(one.box, box) && layer(parent) === layer(one.parent));
    if (other) faults.push(`${named(one.parent)} and ${named(other.parent)} collide`);
  });
  for (const select of scope.querySelectorAll("select")) {
    if (!select.checkVisibility()) continue;
    const [pen, style] = [document.createElement("canvas").getContext("2d"), getComputedStyle(select)];
    pen.font = style.font;
    if (
      pen.measureText(select.selectedOptions[0]?.text ?? "").width + parseFloat(style.paddingLeft) + 16
      > select.clientWidth
    )
      faults.push(`cut off: ${named(select.selectedOptions[0])}`);
  }
  const lyingOn = button => {
    const box = button.getBoundingClientRect();
    return button.checkVisibility({ visibilityProperty: true }) && isOn(box) && top(box);
  };
  for (const button of scope.querySelectorAll(MAIN)) {
    const place = scrollY;
    if (lyingOn(button)?.closest?.(BAR)) button.scrollIntoView({ block: "center" });
    const above = lyingOn(button);
    scrollTo(0, place);
    if (above && !button.contains(above) && !above.contains(button))
      faults.push(`${named(above)} lies on ${named(button)}`);
  }
  for (const arrow of document.querySelectorAll("#arrows > *")) {
    if (!isInside(arrow.getBoundingClientRect(), arrow.closest(".felt").getBoundingClientRect()))
      faults.push("an arrow leaves the felt");
  }
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push(`${document.documentElement.scrollWidth - innerWidth} pixels too wide`);
  return [...new Set(faults)];
};
