import { useQuery } from "@tanstack/react-query";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { allDevices, devicesQuery, isActive } from "../../data/devices";
import { suggestClients, suggestInvoices } from "../../data/suggest";
import { Choice } from "../../parts/Choice";
import { DateInput } from "../../parts/DateInput";
import { Picker } from "../../parts/Picker";
import { useWords } from "../../words";
import type { Content, Line, TransactionCode, TypeCode } from "./model";

/** Returns a line with the standard rate again, if it had none only because of the export. */
function notExported(line: Line): Line {
  if (line.category !== "Z" || !["", "VATEX-SA-32", "VATEX-SA-33"].includes(line.reasonCode)) return line;
  return { ...line, category: "S", rate: "15", reasonCode: "", reasonText: "" };
}

interface Props {
  content: Content;
  change: (update: (before: Content) => Content) => void;
  problemOf: (field: string) => string | undefined;
  touch: (field: string) => void;
  onNewClient: (name: string) => void;
  onOriginal: (uuid: string) => void;
}

/** What kind of document it is, who buys, and when it was supplied. */
export function Head({ content, change, problemOf, touch, onNewClient, onOriginal }: Props) {
  const { t, pick } = useWords();
  const devices = useQuery(devicesQuery(allDevices));
  const set = (values: Partial<Content>) => change((before) => ({ ...before, ...values }));
  const note = content.typeCode === 381 || content.typeCode === 383;
  const usable = (devices.data?.devices ?? []).filter(isActive);
  const kinds: { id: TransactionCode; label: string }[] = [
    { id: "0100000", label: t("editor_standard") },
    { id: "0200000", label: t("editor_simplified") },
    { id: "0100100", label: t("editor_export") },
  ];
  const documents = [
    { id: "388", label: t("editor_document_388") },
    { id: "386", label: t("editor_document_386") },
    { id: "381", label: t("kind_381") },
    { id: "383", label: t("kind_383") },
  ];
  return (
    <section className="grid gap-4 rounded-xl border border-line bg-surface p-4 md:grid-cols-2">
      <div data-field="kind">
        <Choice label={t("editor_document")} options={documents} value={String(content.typeCode)} onChange={(id) => set({ typeCode: Number(id) as TypeCode })} problem={problemOf("kind")} />
      </div>
      <RadioGroup
        value={content.transactionCode}
        onChange={(id) => {
          const transactionCode = id as TransactionCode;
          const exported = transactionCode === "0100100";
          change((before) => ({ ...before, transactionCode, lines: before.lines.map((line) => (exported ? { ...line, category: "Z", rate: "0" } : before.transactionCode === "0100100" ? notExported(line) : line)) }));
        }}
        isDisabled={note}
        className="flex min-w-0 flex-col gap-1"
      >
        <Label className="text-sm text-muted">{t("editor_kind")}</Label>
        <div className="flex min-h-10 rounded-md border border-line bg-sunken p-0.5">
          {kinds.map(({ id, label }) => (
            <Radio key={id} value={id} className="grid flex-1 cursor-default place-items-center rounded px-2 text-center text-muted data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[selected]:bg-surface data-[selected]:font-bold data-[selected]:text-ink data-[selected]:shadow-sm data-[disabled]:opacity-60">
              {label}
            </Radio>
          ))}
        </div>
      </RadioGroup>
      {note && (
        <div data-field="originals" className="md:col-span-2">
          <Picker
            label={t("editor_original")}
            suggest={(q) => suggestInvoices({ q, accepted: true })}
            keyOf={(invoice) => invoice.uuid}
            textOf={(invoice) => invoice.ref_num}
            show={(invoice) => <span className="flex justify-between gap-4"><bdi>{invoice.ref_num}</bdi><bdi className="truncate text-muted">{invoice.buyer_name}</bdi></span>}
            chosen={content.originals.map((o) => o.text).join(", ")}
            onChoose={(invoice) => (invoice ? onOriginal(invoice.uuid) : set({ originals: [] }))}
            problem={problemOf("originals")}
            help={t("editor_original_help")}
          />
        </div>
      )}
      <div data-field="buyer" onBlur={() => touch("buyer")}>
        <Picker
          label={t(content.transactionCode === "0200000" ? "editor_client_optional" : "col_client")}
          suggest={suggestClients}
          keyOf={(client) => client.uuid}
          textOf={(client) => pick(client.buyer_name_arabic, client.buyer_name)}
          show={(client) => (
            <span className="grid">
              <bdi className="truncate">{pick(client.buyer_name_arabic, client.buyer_name)}</bdi>
              <span className="text-xs text-muted"><bdi>{client.vat_registration_number || t("editor_no_vat_number")}</bdi></span>
            </span>
          )}
          chosen={content.buyer?.text ?? ""}
          onChoose={(client) => set({ buyer: client && { uuid: client.uuid, text: pick(client.buyer_name_arabic, client.buyer_name) } })}
          onCreate={onNewClient}
          createText={t("editor_new_client")}
          placeholder={t("editor_client_hint")}
          problem={problemOf("buyer")}
          isDisabled={note}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <div data-field="supplyDate">
          <DateInput label={t("editor_supply_date")} value={content.supplyDate} onChange={(supplyDate) => set({ supplyDate, supplyEndDate: content.supplyEndDate < supplyDate || content.supplyEndDate === content.supplyDate ? supplyDate : content.supplyEndDate })} problem={problemOf("supplyDate")} />
        </div>
        <div data-field="device">
          <Choice
            label={t("editor_device")}
            options={usable.map((d) => ({ id: d.device_id, label: d.common_name }))}
            value={content.device}
            onChange={(id) => set({ device: id, seller: usable.find((d) => d.device_id === id)?.seller_id ?? content.seller })}
            problem={problemOf("device")}
          />
        </div>
      </div>
    </section>
  );
}
