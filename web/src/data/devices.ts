import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, paths } from "./app";
import { app } from "./client";
import { data } from "./queries";

type List = paths["/api/devices/"]["get"]["responses"]["200"]["content"]["application/json"];
export type DeviceRow = List["devices"][number];
export type Device = paths["/api/devices/{device_id}/"]["get"]["responses"]["200"]["content"]["application/json"];
export type DeviceKind = Device["invoice_type"];
export type Step = components["schemas"]["DeviceStep"];
export type Trouble = components["schemas"]["DeviceTrouble"];

export const devicesQuery = (filter: NonNullable<paths["/api/devices/"]["get"]["parameters"]["query"]>) =>
  queryOptions({
    queryKey: ["devices", filter],
    queryFn: ({ signal }) => data(app.GET("/api/devices/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ["device", id],
    queryFn: ({ signal }) => data(app.GET("/api/devices/{device_id}/", { params: { path: { device_id: id } }, signal })),
  });

/** The first hundred devices, for those who choose among them. */
export const allDevices = { page_size: 100 };

/** Reports whether a device can issue invoices. */
export function isActive(device: { device_status: string; is_retired: boolean }): boolean {
  return device.device_status === "pcsid_generated" && !device.is_retired;
}

interface Handlers {
  /** An attempt begins: the steps of an earlier one no longer count. */
  begin: () => void;
  step: (step: Step) => void;
}

/**
 * Reads the steps of a device until nothing is in progress. A lost connection is opened
 * again. EventSource cannot send the header that selects an organisation.
 */
export async function followSteps(id: string, signal: AbortSignal, { begin, step }: Handlers): Promise<void> {
  let last = "";
  let attempt = "";
  for (;;) {
    try {
      const { data: stream } = await app.GET("/api/devices/{device_id}/steps/", {
        params: { path: { device_id: id }, header: last ? { "Last-Event-ID": last } : {} },
        parseAs: "stream",
        signal,
      });
      if (!stream) return;
      for await (const event of events(stream)) {
        if (event.type === "end") return;
        if (!event.data) continue;
        const of = event.id.split("-").slice(0, 2).join("-");
        if (of !== attempt) begin();
        attempt = of;
        last = event.id;
        step(JSON.parse(event.data) as Step);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TypeError) && !(error instanceof Error && "status" in error && error.status === 0)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (signal.aborted) return;
  }
}

interface Event {
  id: string;
  type: string;
  data: string;
}

/** Returns the server-sent events of a stream. */
async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event: Event = { id: "", type: "message", data: "" };
        for (const line of text.slice(0, end).split("\n")) {
          const [, name = "", content = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
          if (name === "id") event.id = content;
          if (name === "event") event.type = content;
          if (name === "data") event.data += content;
        }
        text = text.slice(end + 2);
        yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
