// Measures a page for TestPagesInABrowser. It is put into a copy of the page.
(() => {
  const found = { Contrast: [], Wide: [], Headings: [], Names: [], IDs: [], First: "", Landmarks: [], Texts: 0 };
  const note = (list, text) => { if (list.length < 10) list.push(text); };
  const all = [...document.querySelectorAll("body *:not(script):not(#audit)")];

  // Contrast, as WCAG 2.2 reckons it. Transparent backgrounds show what is behind them.
  const numbers = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const light = (c) => {
    const [r, g, b] = numbers(c).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (numbers(c)[3] !== 0) return c;
    }
    return "rgb(255, 255, 255)";
  };
  for (const e of all) {
    if (e.tagName === "title") continue; // of a mark: the browser shows it in colours of its own
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e);
    const ink = e instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(ink), light(paper(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    found.Texts++;
    if (ratio < 4.5) note(found.Contrast, `${ratio.toFixed(2)} ${e.tagName} ${e.className.baseVal ?? e.className}: ${e.textContent.trim().slice(0, 40)}`);
  }

  // Nothing sticks out, but for what scrolls in a box of its own.
  const width = document.documentElement.clientWidth;
  for (const e of all) {
    if (e.closest(".scroll, .skip, .hear, thead") || e.closest("svg") && e.tagName !== "svg") continue;
    const box = e.getBoundingClientRect();
    if (box.right > width + 1 && box.width > 0) note(found.Wide, `${e.tagName} ${e.className} ends at ${Math.round(box.right)} of ${width}`);
  }
  if (document.documentElement.scrollWidth > width) note(found.Wide, `the page scrolls sideways: ${document.documentElement.scrollWidth} of ${width}`);

  let last = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Number(h.tagName[1]);
    if (level > last + 1) note(found.Headings, `h${last} is followed by ${h.tagName}: ${h.textContent}`);
    if (!h.textContent.trim()) note(found.Names, `${h.tagName} is empty`);
    last = level;
  }
  if (document.querySelectorAll("h1").length !== 1) note(found.Headings, "there is not one h1");

  // Names: links, summaries, pictures, regions, tables and their heads.
  for (const e of document.querySelectorAll("a, summary")) if (!e.textContent.trim()) note(found.Names, `${e.tagName} without text`);
  for (const e of document.querySelectorAll("svg")) if (!(e.getAttribute("role") === "img" && e.getAttribute("aria-label")) && e.getAttribute("aria-hidden") !== "true") note(found.Names, "svg without a text alternative");
  for (const e of document.querySelectorAll("nav, [role=region]")) if (!e.getAttribute("aria-label")) note(found.Names, `${e.tagName} without a label`);
  for (const e of document.querySelectorAll("th")) if (!e.getAttribute("scope")) note(found.Names, `th without scope: ${e.textContent}`);
  for (const e of document.querySelectorAll("table")) if (!e.caption?.textContent.trim()) note(found.Names, "table without a caption");
  for (const e of document.querySelectorAll(".scroll")) if (e.tabIndex !== 0) note(found.Names, "what scrolls cannot be reached by keyboard");
  if (!document.documentElement.lang || !document.title) note(found.Names, "the page has no language or no title");

  const ids = new Set();
  for (const e of document.querySelectorAll("[id]")) { if (ids.has(e.id)) note(found.IDs, `${e.id} stands twice`); ids.add(e.id); }
  for (const e of document.querySelectorAll("a[href^='#']")) if (!ids.has(decodeURIComponent(e.getAttribute("href").slice(1)))) note(found.IDs, `${e.getAttribute("href")} leads nowhere`);
  for (const e of document.querySelectorAll("[aria-labelledby]")) if (!ids.has(e.getAttribute("aria-labelledby"))) note(found.IDs, `${e.getAttribute("aria-labelledby")} is no label`);

  found.First = document.querySelector("a[href], button, summary, [tabindex='0']").getAttribute("href");
  found.Landmarks = ["header", "main", "footer", "h1", "nav"].filter((n) => document.querySelector(n));
  document.getElementById("audit").textContent = JSON.stringify(found);
})();
