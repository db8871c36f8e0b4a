/*<![CDATA[*/
// Everything on the page can be read without this: it adds sorting, filters, copies, definitions, the choice of a
// method and of frames, the slider and the contents' marks.
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
    const tools = figure.querySelector(".tools");
    tools.prepend(make("label", { for: id }, "Filter rows "), field, count);
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
  }

  // What people see of an element: no arrows, no words for screen readers, no intervals.
  function shown(element) {
    const copy = element.cloneNode(true);
    all(".hidden, [aria-hidden], .interval", copy).forEach((part) => part.remove());
    return copy.textContent.trim().replace(/\s+/g, " ");
  }

  // The rows that are shown, in their order, with the full numbers; intervals as a column of their own.
  function csv(table) {
    const heads = [...table.tHead.rows[0].cells].map((head) => shown(head.querySelector(".label")));
    const rows = [...table.tBodies[0].rows].filter((row) => row.checkVisibility());
    const hasInterval = heads.map((_, column) => rows.some((row) => row.cells[column].querySelector(".interval")));
    const cells = (row) => [...row.cells].flatMap((cell, column) => [cell.dataset.value ?? shown(cell),
      ...(hasInterval[column] ? [cell.querySelector(".interval")?.textContent ?? ""] : [])]);
    const names = heads.flatMap((name, column) => [name, ...(hasInterval[column] ? [`${name}, interval`] : [])]);
    const quoted = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    return [names, ...rows.map(cells)].map((line) => line.map(quoted).join(",") + "\n").join("");
  }

  function makeTools(figure, table) {
    const name = figure.id.replace(/^table-/, "");
    const button = make("button", { type: "button", class: "csv", "aria-label": `CSV of the table ${name}` }, "CSV");
    button.addEventListener("click", () => {
      const address = URL.createObjectURL(new Blob([csv(table)], { type: "text/csv" }));
      make("a", { href: address, download: `${name}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
      say(`${name}.csv is saved with the rows that are shown.`);
    });
    figure.querySelector(".scroll").before(make("div", { class: "tools" }, button));
  }

  // Commands are to be run: a button beside each copies it, but for names of commands alone and those with a word to replace.
  function makeCopies() {
    const isWhole = (text) => /^fathom \S+ \S/.test(text) && !/(^|[\s=])(DATA|FOLDER|NAME|MORE\.h5|OUT\.h5)(?=$|[\s:/])/.test(text);
    const commands = all("main code, main td").filter((place) => isWhole(place.textContent) && !place.querySelector("code"));
    commands.forEach((place) => {
      const command = place.textContent;
      const button = make("button", { type: "button", class: "copy", "aria-label": `Copy ${command}` }, "Copy");
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(command);
        } catch {
          // Where a page may not write there: by way of the selection.
          getSelection().selectAllChildren(place.firstElementChild ?? place);
          document.execCommand("copy");
        }
        button.textContent = "Copied";
        say(`Copied: ${command}`);
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
      if (place.tagName === "TD") place.replaceChildren(make("span", {}, command), " ", button);
      else place.after(" ", button);
    });
  }

  // The definition that a link leads to, where a pointer or the focus rests on the link.
  function makeTips() {
    const tip = make("div", { id: "page-tip", role: "tooltip" });
    tip.hidden = true;
    document.body.append(tip);
    let owner = null;
    const close = () => {
      tip.hidden = true;
      owner?.removeAttribute("aria-describedby");
      owner = null;
    };
    const place = () => {
      if (!owner) return;
      const [at, size] = [owner.getBoundingClientRect(), tip.getBoundingClientRect()];
      tip.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8))}px`;
      tip.style.top = `${at.bottom + size.height < innerHeight ? at.bottom : at.top - size.height}px`;
    };
    const open = (link) => {
      const row = document.getElementById(decodeURIComponent(link.hash.slice(1)))?.closest("tr");
      if (!row || row.contains(link)) return;
      close();
      owner = link;
      const heads = [...row.closest("table").tHead.rows[0].cells].map((head) => shown(head.querySelector(".label")));
      tip.replaceChildren(make("strong", {}, shown(row.cells[0])), ...[...row.cells].slice(1).map((cell, index) =>
        make("span", {}, `${heads[index + 1]}: ${shown(cell)}`)));
      tip.hidden = false;
      link.setAttribute("aria-describedby", tip.id);
      place();
    };
    for (const event of ["pointerover", "focusin"]) {
      document.addEventListener(event, ({ target }) => {
        const link = target.closest?.('a[href^="#definition-"]');
        if (link) open(link);
        // What moves below a resting pointer does not close the definition of what has the focus.
        else if (!target.closest?.("#page-tip") && (event === "focusin" || owner !== document.activeElement)) close();
      });
    }
    document.addEventListener("focusout", close);
    document.addEventListener("scroll", place, { passive: true, capture: true });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  }

  // What can be chosen for the whole page stands below the first section, and stays in sight.
  function makeChoices() {
    const bar = make("div", { class: "page-choices", role: "group", "aria-label": "Shown on the whole page" });
    makePicker(bar);
    makeStrip(bar);
    if (bar.children.length > 0) document.querySelector("main > section")?.after(bar);
  }

  // "auto (oracle)" and "auto, by confidence" are lines of auto.
  const methodOf = (name) => name.replace(/ \(.*\)$/, "").replace(/, (by|at) .*$/, "");

  function makePicker(bar) {
    const charts = all("figure.chart").filter((chart) => !chart.id.startsWith("chart-objects"));
    const tables = all("figure.table table").filter((table) => !table.closest("figure").id.endsWith("-definitions"));
    const isOfMethods = (table) => ["method", "depth map"].includes(table.tHead.rows[0].cells[0].dataset.name);
    const rows = tables.filter(isOfMethods).flatMap((table) => [...table.tBodies[0].rows]).map((row) => [row, methodOf(shown(row.cells[0]))]);
    const columns = tables.flatMap((table) => [...table.tHead.rows[0].cells].slice(1).map((head, index) =>
      [table, index + 1, shown(head.querySelector(".label")).replace(/ \[.*$/, "")]));
    const points = all(".dots li").map((row) => [row, shown(row.querySelector(".name"))]);
    const series = charts.flatMap((chart) => all("g.series", chart)).map((group) => [group, methodOf(group.dataset.series)]);
    const drawn = new Set([...series, ...charts.flatMap((chart) => all("svg text", chart)).map((text) => [text, methodOf(text.textContent)])]
      .map(([, name]) => name));
    const names = [...new Set(rows.map(([, name]) => name))].filter((name) => drawn.has(name));
    if (names.length < 2) return;
    const select = make("select", {}, make("option", { value: "" }, "none"), ...names.map((name) => make("option", { value: name }, name)));
    const update = () => {
      const name = select.value;
      const isPicked = (other) => name !== "" && other === name;
      [...rows, ...points].forEach(([row, other]) => row.classList.toggle("picked", isPicked(other)));
      columns.forEach(([table, column, other]) => [...table.rows].forEach((row) =>
        row.cells[column].classList.toggle("picked", isPicked(other))));
      charts.flatMap((chart) => all("svg", chart)).forEach((drawing) => {
        const groups = all("g.series", drawing);
        const has = groups.some((group) => isPicked(methodOf(group.dataset.series)));
        groups.forEach((group) => group.classList.toggle("faded", has && !isPicked(methodOf(group.dataset.series))));
        all("text", drawing).forEach((text) => text.classList.toggle("picked", isPicked(methodOf(text.textContent))));
      });
      say(name === "" ? "No method is highlighted." : `${name} is highlighted in charts and tables.`);
    };
    select.addEventListener("change", update);
    bar.append(labelled("Highlight method", select));
  }

  // The strip of frames: a slider shows a frame, Shift and arrow keys or dragging select a range; the table of frames follows.
  function makeStrip(bar) {
    const chart = document.getElementById("chart-error-over-time");
    const table = document.querySelector("#table-frame-errors table");
    if (!chart || !table) return;
    const heads = [...table.tHead.rows[0].cells].slice(1, -1).map((head) => shown(head.querySelector(".label")));
    const frames = [...table.tBodies[0].rows].map((row) => ({
      row, number: Number(row.cells[0].id.replace("frame-", "")), place: shown(row.cells[0]), values: [...row.cells].slice(1, -1),
    })).sort((a, b) => a.number - b.number);
    if (frames.length < 2) return;
    const indexOf = new Map(frames.map((frame, index) => [frame.number, index]));
    const slider = make("input", { type: "range", min: "0", max: String(frames.length - 1), step: "1", value: "0" });
    const detail = make("div", { class: "frame-shown" });
    const reset = make("button", { type: "button" }, "All frames");
    const count = make("span", { class: "frames-selected" });
    const summary = make("p", { class: "frames-mean" });
    // First and last of the selected frames; null for all.
    let [range, anchor] = [null, 0];

    // Where frames stand in each drawing, in shares of its size.
    const drawings = all(".scroll", chart).map((scroll) => {
      const svg = scroll.querySelector("svg");
      const box = svg.viewBox.baseVal;
      const [cursor, shade] = [make("div", { class: "strip-cursor" }), make("div", { class: "strip-range" })];
      scroll.append(shade, cursor);
      const columns = all(".grid line", svg).filter((line) => line.x1.baseVal.value === line.x2.baseVal.value);
      const ends = [...all(".grid line", svg)].flatMap((line) => [line.y1.baseVal.value, line.y2.baseVal.value]);
      const lines = columns.length > 0 ? columns.flatMap((line) => [line.y1.baseVal.value, line.y2.baseVal.value]) : ends;
      for (const part of [cursor, shade]) {
        part.style.top = `${100 * Math.min(...lines) / box.height}%`;
        part.style.height = `${100 * (Math.max(...lines) - Math.min(...lines)) / box.height}%`;
      }
      const places = new Map();
      all("a", svg).forEach((mark) => {
        const index = indexOf.get(Number(/\d+$/.exec(mark.getAttribute("href"))?.[0]));
        const shape = mark.querySelector("circle, path, rect");
        const x = shape?.tagName === "circle" ? shape.cx.baseVal.value : Number(/^M([\d.]+)/.exec(shape?.getAttribute("d"))?.[1]);
        if (index !== undefined && Number.isFinite(x) && !places.has(index)) places.set(index, x / box.width);
      });
      return { svg, cursor, shade, places };
    });

    // "auto 0.937 %" of the column "auto [%]".
    const valued = (head, value) => head.replace(/^(.*?)(?: \[(.*)\])?$/, (_, name, unit) =>
      `${name} ${value}${unit && value !== "\u2013" ? `\u00A0${unit}` : ""}`);
    const value = (index, column) => shown(frames[index].values[column]) || "\u2013";
    const words = (index) => `${frames[index].place}: ${heads.map((head, column) => valued(head, value(index, column))).join(", ")}`;
    function means([from, to]) {
      return heads.map((head, column) => {
        const known = frames.slice(from, to + 1).map((frame) => number(frame.values[column])).filter(Number.isFinite);
        return valued(head, known.length > 0 ? String(Number((known.reduce((sum, other) => sum + other, 0) / known.length).toPrecision(3))) : "\u2013");
      }).join(", ");
    }
    function show(index) {
      slider.value = String(index);
      slider.setAttribute("aria-valuetext", words(index));
      drawings.forEach(({ cursor, places }) => {
        cursor.hidden = !places.has(index);
        cursor.style.left = `${100 * (places.get(index) ?? 0)}%`;
      });
      const frame = frames[index];
      const gallery = document.getElementById(`gallery-${frame.number}`)?.closest(".frame");
      const pictures = gallery ? all("figure", gallery).filter(({ dataset }) => ["image", "error"].includes(dataset.role)) : [];
      detail.replaceChildren(
        ...pictures.map((figure) => make("img", { src: figure.querySelector("img").src, alt: figure.querySelector("img").alt })),
        make("div", {}, make("strong", {}, make("a", { href: gallery ? `#gallery-${frame.number}` : `#frame-${frame.number}` }, frame.place)),
          make("ul", {}, ...heads.map((head, column) => make("li", {}, valued(head, value(index, column))))),
          ...(gallery ? [] : [make("p", {}, "This page has no picture of this frame.")])));
    }
    function select(next) {
      range = next && next[0] < next[1] ? next : null;
      frames.forEach(({ row }, index) => row.classList.toggle("outside", range !== null && (index < range[0] || index > range[1])));
      drawings.forEach(({ shade, places }) => {
        const [from, to] = range ? [places.get(range[0]), places.get(range[1])] : [];
        shade.hidden = from === undefined || to === undefined;
        if (!shade.hidden) [shade.style.left, shade.style.width] = [`${100 * from}%`, `${100 * (to - from)}%`];
      });
      all(".scope").forEach((note) => note.remove());
      reset.hidden = range === null;
      count.textContent = range === null ? "" : `${range[1] - range[0] + 1} of ${frames.length} frames selected: ${frames[range[0]].place} to ${frames[range[1]].place}.`;
      summary.textContent = range === null ? "" : `Mean of the selected frames with a value: ${means(range)}.`;
      if (range === null) return;
      all("figure.chart, figure.table").filter((figure) => figure !== chart && (figure.matches(".chart") || figure.querySelector("td[data-value]")))
        .forEach((figure) => figure.querySelector("figcaption, summary").append(make("span", { class: "scope" },
          figure.contains(table) ? " Only the selected frames." : " All frames, not only those selected.")));
    }
    const both = (a, b) => [Math.min(a, b), Math.max(a, b)];
    slider.addEventListener("input", () => { anchor = Number(slider.value); show(anchor); });
    slider.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (event.key === "Escape") { select(null); say("All frames."); }
      if (!event.shiftKey || !step) return;
      event.preventDefault();
      const index = Math.max(0, Math.min(frames.length - 1, Number(slider.value) + step));
      show(index);
      select(both(anchor, index));
      say(range ? `${count.textContent} ${summary.textContent}` : "All frames.");
    });
    reset.addEventListener("click", () => { select(null); slider.focus(); say("All frames."); });
    drawings.forEach(({ svg, places }) => {
      const nearest = (event) => {
        const box = svg.getBoundingClientRect();
        const x = (event.clientX - box.left) / box.width;
        return [...places].reduce((best, entry) => Math.abs(entry[1] - x) < Math.abs(best[1] - x) ? entry : best)[0];
      };
      if (places.size === 0) return;
      let [start, isDragged] = [null, false];
      svg.addEventListener("dragstart", (event) => event.preventDefault());
      svg.addEventListener("pointerdown", (event) => { if (event.button === 0) [start, isDragged] = [nearest(event), false]; });
      svg.addEventListener("pointermove", (event) => {
        const index = nearest(event);
        if (index !== Number(slider.value)) show(index);
        if (start === null) return;
        if (event.buttons === 0) { start = null; return; }
        if (index !== start && !isDragged) { isDragged = true; svg.setPointerCapture(event.pointerId); }
        if (isDragged) select(both(start, index));
      });
      svg.addEventListener("pointerup", () => {
        if (isDragged) { anchor = start; say(`${count.textContent} ${summary.textContent}`); }
        start = null;
      });
      // The end of dragging is not a click on a mark.
      svg.addEventListener("click", (event) => { if (isDragged) { event.preventDefault(); isDragged = false; } }, true);
    });
    const panel = make("div", { class: "strip" },
      labelled("Frame: arrow keys show one, with Shift they select; or drag in the chart", slider), detail, summary);
    chart.querySelector("figcaption").before(panel);
    bar.append(make("span", { class: "frames-choice" }, count, reset));
    show(0);
    select(null);
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
    const roles = all(".pictures figure", frames[0]).map((figure) => figure.dataset.role);
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
      row?.classList.remove("outside");
      if (isFolded || row) target.scrollIntoView({ block: "center" });
    };
    window.addEventListener("hashchange", reveal);
    reveal();
    let folded = [];
    // On paper the sentences of most methods follow the table of them, so that the summary has two pages.
    const beyond = all("main > section:first-child li.beyond");
    const [list, sentences] = [beyond[0]?.parentElement, [...(beyond[0]?.parentElement.children ?? [])]];
    const later = make("ul", {});
    window.addEventListener("beforeprint", () => {
      if (list) document.getElementById("table-methods")?.after(later);
      if (later.isConnected) {
        later.append(...beyond);
        list.append(make("li", {}, `${beyond.length} more ${beyond.length === 1 ? "method follows" : "methods follow"} the table of methods.`));
      }
      folded = all("main details:not([open])");
      folded.forEach((details) => { details.open = true; });
      all("img[loading]").forEach((image) => { image.loading = "eager"; });
    });
    window.addEventListener("afterprint", () => {
      folded.forEach((details) => { details.open = false; });
      list?.replaceChildren(...sentences);
      later.remove();
    });
  }

  document.documentElement.classList.add("scripted");
  all("figure.table").forEach((figure) => {
    const table = figure.querySelector("table");
    makeSortable(table);
    makeTools(figure, table);
    makeFilter(figure, table);
  });
  makeChoices();
  makeCopies();
  makeTips();
  all(".gallery").forEach(makeViewer);
  watchScroll();
  markContents();
  arrangeContents();
  unfold();
})();
/*]]>*/
