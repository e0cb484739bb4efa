import { request } from "./request";

/** Waits, unless the signal aborts first. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Reads a stream of server-sent events until the server ends it. A stream that breaks is
 * opened again after the last event. EventSource cannot be used, because it cannot name
 * the organisation.
 */
export async function follow<T>(path: string, onEvent: (event: T) => void, signal: AbortSignal): Promise<void> {
  let last = "";
  for (let tries = 0; tries < 10 && !signal.aborted; tries++) {
    try {
      const response = await request(path, { signal, headers: { Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) } });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (reader) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        const parts = text.split(/\r?\n\r?\n/);
        text = parts.pop() ?? "";
        for (const part of parts) {
          const fields = part.split(/\r?\n/).map((line) => /^(\w*):? ?(.*)$/.exec(line) ?? ["", "", ""]);
          const get = (name: string) => fields.filter((field) => field[1] === name).map((field) => field[2]).join("\n");
          last = get("id") || last;
          const kind = get("event");
          if (kind === "end" || kind === "problem") return;
          const body = get("data");
          if (body) {
            tries = 0;
            onEvent(JSON.parse(body) as T);
          }
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (tries >= 3) throw error;
    }
    await wait(1_000 * (tries + 1), signal);
  }
}
