// Search without a server. Browsers start no worker for a page that was opened from a file; there, a hidden frame does
// the worker's job: it runs the script, and messages go back and forth as they would with a worker.
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.deliver(data);
      this.ready = new Promise((resolve, reject) => {
        const script = inside.document.createElement("script");
        script.src = String(url);
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${url} cannot be loaded`));
        inside.document.body.append(script);
      });
    }
    deliver(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}
