/*<![CDATA[*/
// Turns the points of a frame: by dragging or arrow keys, nearer and farther by the wheel or + and -. Without it, their words remain.
(() => {
  "use strict";
  const turn = Math.PI / 36;
  // Height of the picture in widths.
  const shape = 0.66;
  const status = document.getElementById("page-status");

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // What CloudFile writes: corner and step, places in steps, then the bytes of each kind of colour. Places relative to their middle.
  function read({ dataset }) {
    const { buffer } = Uint8Array.from(atob(dataset.bytes), (letter) => letter.charCodeAt(0));
    const [count, kinds] = [Number(dataset.count), dataset.colours.split(",")];
    const head = new Float32Array(buffer, 0, 4);
    const places = Float32Array.from(new Uint16Array(buffer, 16, 3 * count), (value, index) => head[index % 3] + value * head[3]);
    const ordered = (values, share) => values.sort()[Math.floor(share * (values.length - 1))];
    // The median, because single points may be far away.
    const middle = [0, 1, 2].map((axis) => ordered(places.filter((_, index) => index % 3 === axis), 0.5));
    for (let index = 0; index < places.length; index += 1) places[index] -= middle[index % 3];
    // A scene is seen from so far that it has room, a frame from its camera.
    const distance = dataset.yaw === undefined ? Math.hypot(...middle)
      : 2.5 * ordered(new Float32Array(count).map((_, index) => Math.hypot(places[3 * index], places[3 * index + 1], places[3 * index + 2])), 0.9);
    // How far from the middle of the camera's view nearly all points are, at a distance of 1.
    const widths = new Float32Array(count).map((_, index) =>
      Math.max(shape * Math.abs(places[3 * index]), Math.abs(places[3 * index + 1])) / Math.max(0.05, distance - places[3 * index + 2]));
    const colours = new Map(kinds.map((kind, place) => [kind, new Uint8Array(buffer, 16 + count * (6 + 3 * place), 3 * count)]));
    return { count, places, distance, reach: ordered(widths, 0.97) || 1, colours };
  }

  function makeCloud(figure) {
    const cloud = read(figure);
    const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": figure.querySelector("figcaption").textContent });
    // Every pixel is set by the script: no work for a graphics processor.
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const kind = make("select", {}, ...[...cloud.colours.keys()].map((name) => make("option", { value: name }, name)));
    const start = figure.dataset.yaw === undefined ? { yaw: 0, pitch: 0, zoom: 1 } : { yaw: Number(figure.dataset.yaw) * Math.PI / 180, pitch: 0.5, zoom: 1 };
    let view = { ...start };

    function draw() {
      const width = Math.min(1400, Math.round((figure.clientWidth || 700) * Math.min(2, devicePixelRatio)));
      const height = Math.round(width * shape);
      if (canvas.width !== width) [canvas.width, canvas.height] = [width, height];
      const image = context.createImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      const nearest = new Float32Array(width * height).fill(Infinity);
      const { count, places, distance, reach } = cloud;
      const colours = cloud.colours.get(kind.value);
      const focus = 0.47 * height * view.zoom / reach;
      // As wide as the points are apart, which grows with the distance from the camera, so that what it sees is closed.
      const size = 2.8 * focus * reach / Math.sqrt(count);
      const [cosYaw, sinYaw, cosPitch, sinPitch] = [Math.cos(view.yaw), Math.sin(view.yaw), Math.cos(view.pitch), Math.sin(view.pitch)];
      for (let index = 0; index < count; index += 1) {
        const [x, y, z] = [places[3 * index], places[3 * index + 1], places[3 * index + 2]];
        const turned = cosYaw * z - sinYaw * x;
        const depth = distance - (cosPitch * turned + sinPitch * y);
        if (depth < 0.05 * distance) continue;
        const across = width / 2 + focus * (cosYaw * x + sinYaw * z) / depth;
        const down = height / 2 - focus * (cosPitch * y - sinPitch * turned) / depth;
        const half = Math.min(30, Math.max(0.5, size * (distance - z) / depth / 2));
        const [left, right] = [Math.max(0, Math.round(across - half)), Math.min(width, Math.round(across + half))];
        const [top, bottom] = [Math.max(0, Math.round(down - half)), Math.min(height, Math.round(down + half))];
        const colour = 0xFF000000 | colours[3 * index + 2] << 16 | colours[3 * index + 1] << 8 | colours[3 * index];
        for (let row = top; row < bottom; row += 1) {
          for (let place = row * width + left; place < row * width + right; place += 1) {
            if (depth < nearest[place]) [nearest[place], pixels[place]] = [depth, colour];
          }
        }
      }
      context.putImageData(image, 0, 0);
    }

    let isAsked = false;
    function redraw() {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => { isAsked = false; draw(); });
    }
    function change(yaw, pitch, zoom) {
      view = { yaw: view.yaw + yaw, pitch: Math.max(-1.5, Math.min(1.5, view.pitch + pitch)), zoom: Math.max(0.3, Math.min(12, view.zoom * zoom)) };
      redraw();
    }
    function say() {
      const degrees = (angle) => Math.round(angle * 180 / Math.PI);
      status.textContent = `Turned by ${degrees(view.yaw)}° about the vertical and ${degrees(view.pitch)}° about the horizontal, size ${Math.round(100 * view.zoom)} %.`;
    }
    function reset() { view = { ...start }; redraw(); }
    const steps = {
      ArrowLeft: () => change(-turn, 0, 1), ArrowRight: () => change(turn, 0, 1), ArrowUp: () => change(0, -turn, 1), ArrowDown: () => change(0, turn, 1),
      "+": () => change(0, 0, 1.25), "=": () => change(0, 0, 1.25), "-": () => change(0, 0, 0.8), Home: reset,
    };
    canvas.addEventListener("keydown", (event) => {
      if (!steps[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      steps[event.key]();
      say();
    });
    canvas.addEventListener("pointerdown", (event) => { if (event.button === 0) { canvas.focus(); canvas.setPointerCapture(event.pointerId); } });
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) change(event.movementX * 0.008, event.movementY * 0.008, 1);
    });
    // Only where somebody has chosen the picture: otherwise the wheel moves the page.
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas) return;
      event.preventDefault();
      change(0, 0, event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
    kind.addEventListener("change", draw);

    const button = (text, label, key) => {
      const element = make("button", { type: "button", "aria-label": label }, text);
      element.addEventListener("click", () => { steps[key](); say(); });
      return element;
    };
    const controls = make("div", { class: "controls" }, make("label", {}, "Colours of points", kind),
      button("+", "Nearer", "+"), button("\u2212", "Farther", "-"), button(...(figure.dataset.yaw === undefined ? ["Camera’s view", "Show the camera’s view"] : ["First view", "Show the first view"]), "Home"));
    figure.prepend(canvas, controls);
    figure.querySelector("figcaption").append(" Drag it, or use arrow keys, + and \u2212; Home shows it as at first.");
    draw();
    new ResizeObserver(redraw).observe(figure);
  }

  document.querySelectorAll("figure.cloud").forEach(makeCloud);
})();
/*]]>*/
