/*<![CDATA[*/
// Everything on the page can be read without this: it adds sorting, filters, the slider and the contents' marks.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const status = document.getElementById("page-status");
  const say = (text) => { status.textContent = text; };

  // An element with attributes and children; text is always set as text.
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // The number behind a cell, or the one that its text starts with; NaN where there is none.
  function number(cell) {
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    const match = /^\s*([+\u2212-]?)(\d*\.?\d+(?:[eE][+-]?\d+)?|\u221E)/.exec(cell.textContent);
    if (!match) return NaN;
    const size = match[2] === "\u221E" ? Infinity : Number(match[2]);
    return match[1] === "-" || match[1] === "\u2212" ? -size : size;
  }

  const words = new Intl.Collator("en", { numeric: true });

  // Rows in the order of a column; rows without a value come last in either direction, ties keep their order.
  function sorted(rows, column, isNumeric, direction) {
    const keyed = rows.map((row) => {
      const cell = row.cells[column];
      const isMissing = isNumeric ? Number.isNaN(number(cell)) : cell.classList.contains("none");
      return { row, isMissing, key: isNumeric ? number(cell) : cell.textContent };
    });
    const compare = isNumeric ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : words.compare;
    return keyed.sort((a, b) => {
      if (a.isMissing || b.isMissing) return a.isMissing - b.isMissing;
      return direction * compare(a.key, b.key);
    }).map((entry) => entry.row);
  }

  function makeSortable(table) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    if (original.length < 2) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const label = head.querySelector(".label");
      const button = make("button", { type: "button" });
      button.append(...label.childNodes);
      label.append(button);
      // The whole heading sorts; what its links lead to is theirs. A press of a key on the button arrives here, too.
      head.classList.add("sorts");
      head.addEventListener("click", (event) => {
        if (event.target.closest("a")) return;
        const next = { ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")] ?? "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (next !== "none") head.setAttribute("aria-sort", next);
        const isNumeric = head.classList.contains("number");
        const rows = next === "none" ? original : sorted(original, column, isNumeric, next === "ascending" ? 1 : -1);
        body.append(...rows);
        const name = head.dataset.name;
        say(next === "none" ? "Rows in their first order." : `Sorted by ${name}, ${next}.`);
      });
    });
  }

  let fields = 0;
  function makeFilter(figure, table) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length <= 6) return;
    const id = `page-filter-${fields += 1}`;
    const field = make("input", { type: "search", id, autocomplete: "off", spellcheck: "false" });
    const count = make("output", { for: id });
    const tools = make("div", { class: "tools" }, make("label", { for: id }, "Filter rows "), field, count);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, index) => {
        const fits = wanted.every((word) => texts[index].includes(word));
        row.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      tools.classList.toggle("active", wanted.length > 0);
      count.textContent = wanted.length > 0 ? `${shown} of ${rows.length} rows` : "";
    });
    figure.querySelector(".scroll").before(tools);
  }

  // A region that nothing is hidden in need not be a stop of the Tab key.
  function watchScroll() {
    const update = (region) => {
      if (region.scrollWidth > region.clientWidth + 1) region.tabIndex = 0;
      else region.removeAttribute("tabindex");
    };
    const observer = new ResizeObserver((entries) => entries.forEach((entry) => update(entry.target)));
    all(".scroll").forEach((region) => observer.observe(region));
  }

  function option(role) { return make("option", { value: role }, role); }

  function labelled(text, control, name = "") { return make("label", { class: name }, text, control); }

  let galleries = 0;
  function makeViewer(gallery) {
    const frames = all(".frame", gallery);
    if (frames.length === 0) return;
    const group = `page-gallery-${galleries += 1}`;
    const roles = all("figure", frames[0]).map((figure) => figure.dataset.role);
    const preferred = (...names) => names.find((name) => roles.includes(name));
    const left = make("select", {}, ...roles.map(option));
    const right = make("select", {}, ...roles.map(option));
    left.value = preferred("LiDAR") ?? roles[0];
    right.value = preferred("fused") ?? roles[roles.length - 1];
    const zoom = make("select", {}, ...[["fit", "whole picture"], ["1", "100 %"], ["2", "200 %"], ["4", "400 %"]]
      .map(([value, text]) => make("option", { value }, text)));
    const wipe = make("input", { type: "range", min: "0", max: "100", step: "1", value: "50" });
    const swap = make("button", { type: "button" }, "Swap sides");
    const under = make("img", { draggable: "false" });
    const over = make("img", { draggable: "false" });
    const edge = make("div", { class: "edge" });
    const tags = { left: make("span", { class: "tag left", "aria-hidden": "true" }),
                   right: make("span", { class: "tag right", "aria-hidden": "true" }) };
    const plane = make("div", { class: "plane" }, under, over, edge, tags.left, tags.right);
    const stage = make("div", { class: "stage", role: "group", "aria-label": "Comparison of two pictures" }, plane);
    const choices = make("div", { class: "choices" });
    // Colour bars stand beside the pictures; those in the text are for paper.
    const scales = all("figure.scale", gallery).map((figure) => figure.cloneNode(true));
    scales.forEach((scale) => scale.querySelector("figcaption").prepend(make("strong", { class: "side" })));
    const legends = make("div", { class: "legends" }, ...scales);
    const bench = make("div", { class: "bench" }, stage, legends);
    let chosen = 0;

    const picture = (role) => {
      const figure = all("figure", frames[chosen]).find((other) => other.dataset.role === role);
      return figure?.querySelector("img");
    };
    function show(image, source) {
      if (!source) { image.removeAttribute("src"); image.alt = ""; return; }
      if (image.src !== source.src) image.src = source.src;
      image.alt = source.alt;
    }
    function place() {
      const share = Number(wipe.value);
      over.style.clipPath = `inset(0 0 0 ${share}%)`;
      edge.style.left = `${share}%`;
      wipe.setAttribute("aria-valuetext", `${left.value} ${share} %, ${right.value} ${100 - share} %`);
    }
    function resize() {
      const [source, factor] = [picture(left.value), Number(zoom.value)];
      const width = Number(source?.getAttribute("width")) || 4;
      const height = Number(source?.getAttribute("height")) || 3;
      const isFit = zoom.value === "fit";
      plane.style.aspectRatio = `${width} / ${height}`;
      // Whole pictures leave room for what is below and beside them.
      const room = gallery.clientWidth - (scales.length > 0 && gallery.clientWidth > 640 ? 160 : 0);
      const fit = Math.min(room, 960, Math.max(280, (window.innerHeight - 290) * width / height));
      plane.style.width = `${isFit ? fit : width * factor}px`;
      plane.classList.toggle("magnified", !isFit && factor > 1);
      stage.toggleAttribute("tabindex", !isFit);
      if (!isFit) stage.tabIndex = 0;
    }
    function update() {
      frames.forEach((frame, index) => { frame.dataset.chosen = String(index === chosen); });
      show(under, picture(left.value));
      show(over, picture(right.value));
      tags.left.textContent = left.value;
      tags.right.textContent = right.value;
      scales.forEach((scale) => {
        // Two sides may show two quantities: each bar says whose it is.
        const roles = scale.dataset.roles.split(", ");
        const sides = [["Left", left.value], ["Right", right.value]].filter(([, role]) => roles.includes(role));
        scale.hidden = sides.length === 0;
        scale.style.order = sides[0]?.[0] === "Left" ? 0 : 1;
        scale.querySelector(".side").textContent =
          sides.length === 2 ? "Both sides" : sides.map(([side, role]) => `${side}: ${role}`).join("");
      });
      all(".pick", frames[chosen]).forEach((button) => {
        button.setAttribute("aria-pressed", String(button.dataset.role === right.value));
      });
      place();
      resize();
    }

    frames.forEach((frame, index) => {
      const radio = make("input", { type: "radio", name: group });
      radio.checked = index === chosen;
      radio.addEventListener("change", () => { chosen = index; update(); });
      const text = (part) => frame.querySelector(part).textContent;
      choices.append(make("label", {}, radio, make("span", { class: "rank" }, text(".rank")),
                           make("span", { class: "name" }, text(".name"))));
      all(".pictures figure", frame).forEach((figure) => {
        const image = figure.querySelector("img");
        const role = figure.dataset.role;
        const button = make("button", { type: "button", class: "pick", "data-role": role,
                                        "aria-label": `Show ${role} on the right` });
        image.before(button);
        button.append(image);
        button.addEventListener("click", () => { right.value = role; update(); say(`${role} is on the right.`); });
      });
    });
    // A link to a frame chooses it.
    const follow = () => {
      const heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const index = heading ? frames.findIndex((frame) => frame.contains(heading)) : -1;
      if (index < 0) return;
      chosen = index;
      all("input", choices)[index].checked = true;
      update();
      viewer.scrollIntoView({ block: "start" });
      say(`${frames[index].querySelector(".name").textContent} is shown.`);
    };
    wipe.addEventListener("input", place);
    [left, right, zoom].forEach((control) => control.addEventListener("change", update));
    swap.addEventListener("click", () => {
      [left.value, right.value] = [right.value, left.value];
      update();
      say(`${left.value} is on the left, ${right.value} on the right.`);
    });
    const drag = (event) => {
      const box = plane.getBoundingClientRect();
      wipe.value = String(Math.round(100 * (event.clientX - box.left) / box.width));
      place();
    };
    plane.addEventListener("pointerdown", (event) => {
      // A finger moves a magnified picture; the slider below it still compares.
      if (event.button !== 0 || (event.pointerType === "touch" && plane.classList.contains("magnified"))) return;
      plane.setPointerCapture(event.pointerId);
      drag(event);
    });
    plane.addEventListener("pointermove", (event) => {
      if (plane.hasPointerCapture(event.pointerId)) drag(event);
    });

    const fieldset = make("fieldset", {}, make("legend", {}, "Frame"), choices);
    const controls = make("div", { class: "controls" }, labelled("Left", left), labelled("Boundary", wipe, "wipe"),
      labelled("Right", right), labelled("Size", zoom), swap);
    const viewer = make("div", { class: "viewer" }, fieldset, bench, controls);
    frames[0].before(viewer);
    update();
    window.addEventListener("hashchange", follow);
    follow();
    new ResizeObserver(resize).observe(gallery);
    window.addEventListener("resize", resize);
  }

  // The section that is being read is marked in the contents.
  function markContents() {
    const links = new Map(all(".contents a").map((link) => [link.getAttribute("href").slice(1), link]));
    const seen = new Set();
    const observer = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => { isIntersecting ? seen.add(target) : seen.delete(target); });
      // Of nested sections the innermost, of neighbours the first.
      const inner = all("section[id]").filter((section) =>
        seen.has(section) && ![...seen].some((other) => other !== section && section.contains(other)));
      links.forEach((link) => link.removeAttribute("aria-current"));
      if (inner.length > 0) links.get(inner[0].id)?.setAttribute("aria-current", "location");
    }, { rootMargin: "0px 0px -70% 0px" });
    all("section[id]").filter((section) => links.has(section.id)).forEach((section) => observer.observe(section));
  }

  function arrangeContents() {
    const details = document.querySelector(".contents details");
    const wide = window.matchMedia("(min-width: 70rem)");
    const update = () => { details.open = wide.matches; };
    wide.addEventListener("change", update);
    details.addEventListener("click", (event) => {
      if (!wide.matches && event.target.closest("a")) details.open = false;
    });
    update();
  }

  // A link may lead to a table that is folded away, and paper has nothing to unfold.
  function unfold() {
    const reveal = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      const inside = target.querySelector(":scope > details");
      if (inside) inside.open = true;
      let isFolded = false;
      for (let around = target.closest("details"); around; around = around.parentElement.closest("details")) {
        isFolded = isFolded || !around.open;
        around.open = true;
      }
      const row = target.closest("tr");
      if (row?.hidden) row.hidden = false;
      if (isFolded || row) target.scrollIntoView({ block: "center" });
    };
    window.addEventListener("hashchange", reveal);
    reveal();
    let folded = [];
    window.addEventListener("beforeprint", () => {
      folded = all("main details:not([open])");
      folded.forEach((details) => { details.open = true; });
      all("img[loading]").forEach((image) => { image.loading = "eager"; });
    });
    window.addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));
  }

  document.documentElement.classList.add("scripted");
  all("figure.table").forEach((figure) => {
    const table = figure.querySelector("table");
    makeSortable(table);
    makeFilter(figure, table);
  });
  all(".gallery").forEach(makeViewer);
  watchScroll();
  markContents();
  arrangeContents();
  unfold();
})();
/*]]>*/
