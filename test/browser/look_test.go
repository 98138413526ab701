package browser

// lookScript returns what is wrong with the page as it is laid out: overflow, contrast, names and structure.
const lookScript = `(() => {
  const problems = [];
  const say = (what, e) => { if (problems.length < 40) problems.push(what + ": " + (e ? e.outerHTML.slice(0, 120) : "")); };
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll("body *")].find(e => e.getBoundingClientRect().right > root.clientWidth + 1 && !e.closest(".scroll, .vh, .skip"));
    say("the page is " + root.scrollWidth + " wide in " + root.clientWidth, wide);
  }

  // Contrast, by the definition of WCAG 2.
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = "#000"; canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const luminance = c => {
    const f = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2];
  };
  const contrast = (a, b) => { const x = luminance(a), y = luminance(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const ground = e => {
    const box = e.closest("g") && e.closest("g").querySelector("rect");
    if (box && e.tagName !== "rect") return rgba(getComputedStyle(box).fill);
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) return c;
    }
    return [255, 255, 255, 255];
  };
  const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && e.getBoundingClientRect().width > 1;
  let texts = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; (n = walker.nextNode());) {
    const e = n.parentElement;
    if (!n.data.trim() || ["SCRIPT", "STYLE", "title", "OPTION"].includes(e.tagName) || !shown(e)) continue;
    const style = getComputedStyle(e), svg = e instanceof SVGElement;
    let solid = 1;
    for (let u = e; u; u = u.parentElement) solid *= Number(getComputedStyle(u).opacity);
    const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
    const want = size >= 24 || bold && size >= 18.66 ? 3 : 4.5;
    const got = contrast(rgba(svg ? style.fill : style.color), ground(e));
    texts++;
    if (got < want || solid < 1) say("contrast " + got.toFixed(2) + ", want " + want + ", opacity " + solid, e);
    if (size < 11) say("text of " + size + " px", e);
  }
  if (texts < 5) say("only " + texts + " texts were looked at");
  for (const e of document.querySelectorAll(".flow, .fill, .gauge path.fill")) {
    const style = getComputedStyle(e), paint = style.fill !== "none" ? style.fill : style.stroke;
    if (shown(e) && contrast(rgba(paint), ground(e.closest("svg").parentElement)) < 3) say("a mark has little contrast", e);
  }

  // Structure and names.
  for (const [what, n] of [["header", 1], ["main", 1], ["footer", 1], ["h1", 1]])
    if (document.querySelectorAll("body " + what).length !== n) say("not " + n + " of " + what);
  if (!root.lang) say("no language");
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  if (new Set(ids).size !== ids.length) say("an id is there twice: " + ids.find((x, i) => ids.indexOf(x) !== i));
  for (const e of document.querySelectorAll("[aria-labelledby]"))
    if (!document.getElementById(e.getAttribute("aria-labelledby"))) say("labelled by nothing", e);
  for (const e of document.querySelectorAll("svg"))
    if (e.getAttribute("aria-hidden") !== "true" && !(e.getAttribute("role") === "img" && e.getAttribute("aria-label"))) say("a picture without a name", e);
  for (const e of document.querySelectorAll("input, select")) if (!e.labels.length) say("a control without a label", e);
  for (const e of document.querySelectorAll(".scroll"))
    if (e.tabIndex !== 0 || !e.getAttribute("role") || !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby"))) say("a part that scrolls and can't be reached", e);
  for (const e of document.querySelectorAll("table")) {
    if (!e.tHead) { say("a table without heads", e); continue; }
    for (const h of e.querySelectorAll("th")) if (!h.scope) say("a head without a scope", h);
    for (const h of e.tHead.rows[0].cells) if (!h.textContent.trim()) say("a column without a name", h);
    const n = e.tHead.rows[0].cells.length;
    for (const r of e.tBodies[0].rows) if (r.cells.length !== n) say("a row with " + r.cells.length + " of " + n + " cells", r);
  }
  let depth = 1;
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    const d = Number(h.tagName[1]);
    if (d > depth + 1) say("a heading skips a level", h);
    depth = d;
  }
  for (const e of document.querySelectorAll("a[href^='#']"))
    if (!document.getElementById(e.getAttribute("href").slice(1))) say("a link to nothing", e);
  return problems;
})()`
