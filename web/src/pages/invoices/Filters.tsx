import { useQuery } from "@tanstack/react-query";
import { lazy, memo, Suspense, useMemo } from "react";
import { clientQuery } from "../../data/catalogue";
import { allDevices, devicesQuery } from "../../data/devices";
import { suggestClients } from "../../data/suggest";
import { Choice } from "../../parts/Choice";
import { Picker } from "../../parts/Picker";
import { useWords } from "../../words";
import { addressOf, periods } from "./filter";

// The calendar is large, and few people filter by dates of their own.
const DateInput = lazy(() => import("../../parts/DateInput").then((module) => ({ default: module.DateInput })));

type Change = (changes: Record<string, string>) => void;

const any = "any";

/** The filters of the list, which are in the address. */
export const Filters = memo(function Filters({ query, set }: { query: string; set: Change }) {
  const { t } = useWords();
  const options = useOptions();
  const params = addressOf(query);
  const value = (name: string) => params.get(name) ?? any;
  const choose = useMemo(() => {
    const one = (name: string) => (id: string) => set({ [name]: id === any ? "" : id });
    return {
      status: one("invoice_status"),
      kind: (id: string) => set({ type_code: id === any ? "" : (id.split(" ")[0] ?? ""), transaction_code: id.split(" ")[1] ?? "" }),
      period: (id: string) => set({ period: id === any ? "" : id, date_from: "", date_to: "" }),
      payment: one("payment_status"),
      device: one("device"),
    };
  }, [set]);
  const kind = [params.get("type_code"), params.get("transaction_code")].filter(Boolean).join(" ") || any;
  const custom = params.has("date_from") || params.has("date_to") || params.get("period") === "custom";
  const period = custom ? "custom" : value("period");
  return (
    <div data-filters role="group" aria-label={t("list_filters")} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Choice hideLabel pill label={t("list_status")} options={options.statuses} value={value("invoice_status")} onChange={choose.status} />
      <Choice hideLabel pill label={t("list_kind")} options={options.kinds} value={kind} onChange={choose.kind} />
      <Choice hideLabel pill label={t("list_period")} options={options.periods} value={period} onChange={choose.period} />
      <Choice hideLabel pill label={t("list_paid")} options={options.payments} value={value("payment_status")} onChange={choose.payment} />
      <Choice hideLabel pill label={t("list_device")} options={options.devices} value={value("device")} onChange={choose.device} />
      <Client buyer={params.get("buyer") ?? ""} set={set} />
      {period === "custom" && (
        <div className="col-span-2 flex min-h-16 basis-full flex-wrap gap-2">
          <Suspense>
            <DateInput label={t("list_from")} value={params.get("date_from") ?? ""} onChange={(date) => set({ date_from: date, period: date || params.get("date_to") ? "" : "custom" })} />
            <DateInput label={t("list_to")} value={params.get("date_to") ?? ""} onChange={(date) => set({ date_to: date, period: date || params.get("date_from") ? "" : "custom" })} />
          </Suspense>
        </div>
      )}
    </div>
  );
});

/** The options of the filters. They stay the same while the filters change, so that only the changed one is drawn again. */
function useOptions() {
  const { t } = useWords();
  const devices = useQuery(devicesQuery(allDevices)).data?.devices;
  return useMemo(
    () => ({
      statuses: [
        { id: any, label: t("list_any_status") },
        { id: "CLEARED,REPORTED", label: t("list_accepted") },
        { id: "CLEARED", label: t("status_cleared") },
        { id: "REPORTED", label: t("status_reported") },
        { id: "Unanswered,No response", label: t("filter_waiting") },
        { id: "No response", label: t("status_none") },
        { id: "NOT_CLEARED,NOT_REPORTED", label: t("status_rejected") },
      ],
      kinds: [
        { id: any, label: t("list_any_kind") },
        { id: "388 0100000", label: t("kind_388") },
        { id: "388 0200000", label: t("kind_388_simplified") },
        { id: "388 0100100", label: t("list_export_kind") },
        { id: "381", label: t("kind_381") },
        { id: "383", label: t("kind_383") },
        { id: "386", label: t("kind_386") },
      ],
      periods: [{ id: any, label: t("list_any_period") }, ...periods.map((id) => ({ id, label: t(`list_${id}`) })), { id: "custom", label: t("list_custom") }],
      payments: [{ id: any, label: t("list_any_paid") }, { id: "Pending", label: t("pay_pending") }, { id: "Partially Paid", label: t("pay_part") }, { id: "Paid", label: t("pay_paid") }],
      devices: [{ id: any, label: t("list_any_device") }, ...(devices ?? []).map((device) => ({ id: device.device_id, label: device.common_name }))],
    }),
    [t, devices],
  );
}

const Client = memo(function Client({ buyer, set }: { buyer: string; set: Change }) {
  const { t, pick } = useWords();
  const client = useQuery({ ...clientQuery(buyer), enabled: buyer !== "" }).data;
  return (
    <Picker
      label={t("list_client")}
      hideLabel
      pill
      placeholder={t("list_any_client")}
      suggest={suggestClients}
      keyOf={(one) => one.uuid}
      textOf={(one) => pick(one.buyer_name_arabic, one.buyer_name)}
      chosen={buyer && client ? pick(client.buyer_name_arabic, client.buyer_name) : ""}
      onChoose={(one) => set({ buyer: one?.uuid ?? "" })}
    />
  );
});
