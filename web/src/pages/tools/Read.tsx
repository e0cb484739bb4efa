import type { Parsed } from "../../data/tools";
import { Amount } from "../../parts/Amount";
import { Facts } from "../../parts/Facts";
import { Mark } from "../../parts/Mark";
import { Panel } from "../../parts/Panel";
import { useKind } from "../../parts/Status";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import { Tags } from "./Tags";
import type { Field } from "./tlv";

const numbers: Record<string, number> = {
  seller_name: 1, vat_registration_number: 2, timestamp: 3, invoice_total_with_vat: 4, vat_amount: 5,
  invoice_hash: 6, invoice_hash_signature: 7, egs_public_key: 8, zatca_ca_signature_of_egs_csr: 9,
};

const compared = [
  ["seller_name", "tool_qr_1"],
  ["vat_registration_number", "tool_qr_2"],
  ["timestamp", "tool_qr_3"],
  ["invoice_total_with_vat", "tool_qr_4"],
  ["vat_amount", "tool_qr_5"],
] as const;

const outcomes = {
  agrees: ["good", "tool_read_agrees"],
  differs: ["bad", "tool_read_differs"],
  not_found: ["off", "tool_read_not_found"],
} as const;

function fieldsOf(tags: Parsed["tags"]): Field[] {
  return Object.entries(tags ?? {})
    .map(([name, value]) => ({ tag: numbers[name] ?? Number(name.replace("unknown_tag_", "")), value: String(value) }))
    .sort((a, b) => a.tag - b.tag);
}

/** What a file contains. All of it is shown as text. */
export function Read({ of }: { of: Parsed }) {
  const { t } = useWords();
  return (
    <>
      {of.warning && (
        <Panel title={t("tool_read_warning")}>
          <p dir="auto" lang="en" className="p-4 break-words whitespace-pre-line">{of.warning}</p>
        </Panel>
      )}
      {of.invoice ? <Invoice of={of.invoice} /> : <p>{t("tool_read_no_invoice")}</p>}
      {of.text_comparison && (
        <Panel title={t("tool_read_compare")}>
          <ul className="divide-y divide-line">
            {compared.map(([name, word]) => {
              const outcome = of.text_comparison?.[name] ?? "not_found";
              const [look, said] = outcomes[outcome];
              return <li key={name} className="flex flex-wrap justify-between gap-2 px-4 py-2"><span>{t(word)}</span><Mark look={look}>{t(said)}</Mark></li>;
            })}
          </ul>
        </Panel>
      )}
      <Panel title={t("tool_read_qr")}>{of.qr_found ? <Tags fields={fieldsOf(of.tags)} /> : <p className="p-4 text-muted">{t("tool_read_no_qr")}</p>}</Panel>
    </>
  );
}

function Invoice({ of }: { of: NonNullable<Parsed["invoice"]> }) {
  const { t, pick } = useWords();
  const kind = useKind();
  const amount = (value: string | null) => (value === null ? "–" : <Amount of={value} currency={of.currency} />);
  return (
    <Panel title={t("tool_read_title")}>
      <div className="border-b border-line p-4">
        <Facts
          of={[
            [t("tool_read_number"), <><bdi className="font-bold">{of.ref_num}</bdi></>],
            [t("tool_read_kind"), <>{kind({ type_code: of.type_code, transaction_code: of.transaction_code ?? "" })}</>],
            [t("tool_read_date"), <><bdi>{of.issue_date} {of.issue_time}</bdi></>],
            [t("tool_read_seller"), <><bdi>{pick(of.seller.name_arabic, of.seller.name)}</bdi>{of.seller.vat_registration_number && <span className="block text-xs text-muted"><bdi>{of.seller.vat_registration_number}</bdi></span>}</>],
            [t("tool_read_buyer"), of.buyer && <><bdi>{pick(of.buyer.buyer_name_arabic, of.buyer.buyer_name)}</bdi>{of.buyer.vat_registration_number && <span className="block text-xs text-muted"><bdi>{of.buyer.vat_registration_number}</bdi></span>}</>],
            [t("tool_vat_without"), <>{amount(of.invoice_total_amount_without_vat)}</>],
            [t("tool_vat_amount"), <>{amount(of.invoice_total_vat_amount)}</>],
            [t("tool_vat_total"), <>{amount(of.invoice_total_amount_with_vat)}</>],
          ]}
        />
      </div>
      <Table
        label={t("tool_read_lines")}
        rows={of.lines.map((line, i) => ({ ...line, i }))}
        keyOf={(line) => String(line.i)}
        columns={[
          { title: t("tool_read_item"), cell: (line) => <bdi>{line.item_name}</bdi> },
          { title: t("tool_read_quantity"), cell: (line) => <bdi>{line.invoiced_quantity}</bdi>, number: true, minor: true },
          { title: t("tool_read_net"), cell: (line) => <Amount of={line.line_net_amount ?? ""} />, number: true, minor: true },
          { title: t("tool_read_vat"), cell: (line) => <Amount of={line.line_vat_amount ?? ""} />, number: true, named: true },
          { title: t("tool_read_total"), cell: (line) => <Amount of={line.line_total_amount ?? ""} />, number: true, named: true },
        ]}
      />
    </Panel>
  );
}
