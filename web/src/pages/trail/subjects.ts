import { useQuery } from "@tanstack/react-query";
import { allDevices, devicesQuery } from "../../data/devices";
import { invoicesQuery } from "../../data/queries";
import type { TrailEntry } from "../../data/settings";

export interface Subject {
  name: string;
  page: string | undefined;
}

/** The pages of the records that actions are about, by the first part of the action. */
const pages: Record<string, string> = {
  invoice: "/invoices/",
  share: "/invoices/",
  draft: "/drafts/",
  client: "/clients/",
  item: "/items/",
  device: "/devices/",
  receipt: "/payments/receipts/",
  refund: "/payments/refunds/",
  import: "/imports/",
};

/** The details that name a record. */
const named = ["ref_num", "number", "name", "title", "description", "email"];

/** Returns the name and the page of the record that an entry is about. */
export function useSubjects(entries: TrailEntry[]): (of: TrailEntry) => Subject {
  const groupOf = (entry: TrailEntry) => entry.action.slice(0, entry.action.indexOf("."));
  const about = (...groups: string[]) => [...new Set(entries.filter((entry) => groups.includes(groupOf(entry)) && entry.subject).map((entry) => entry.subject))];
  const documents = about("invoice", "share");
  const invoices = useQuery({ ...invoicesQuery({ uuid: documents, page_size: 100 }), enabled: documents.length > 0 });
  const devices = useQuery({ ...devicesQuery(allDevices), enabled: about("device").length > 0 });
  const names = new Map<string, string>([
    ...(invoices.data?.invoices ?? []).map((one): [string, string] => [one.uuid, one.ref_num]),
    ...(devices.data?.devices ?? []).map((one): [string, string] => [one.device_id, one.common_name]),
  ]);
  return (entry) => {
    const details = entry.details as Record<string, unknown>;
    const detail = named.map((key) => details[key]).find((value) => typeof value === "string" && value !== "");
    const page = pages[groupOf(entry)];
    return { name: names.get(entry.subject) ?? (detail as string | undefined) ?? "", page: page && `${page}${entry.subject}` };
  };
}
