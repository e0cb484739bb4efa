import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Action } from "../../parts/Action";
import { Amount, Riyal } from "../../parts/Amount";
import { Choice } from "../../parts/Choice";
import { westernNumber } from "../../parts/decimal";
import { Field } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { useWords } from "../../words";
import { type Category, categories, compute, type Line, type Part, wrongParts } from "./vat";

interface Row extends Omit<Line, "gross"> {
  id: number;
  /** What was left once, and so is marked if it is wrong. */
  left: Part[];
}

const blank = { price: "", quantity: "1", category: "S" as Category, rate: "15", left: [] };

/** Computes VAT in the browser. */
export default function VatPage() {
  const { t } = useWords();
  const [gross, setGross] = useState(false);
  const [rows, setRows] = useState<Row[]>([{ ...blank, id: 0 }]);
  const [last, setLast] = useState(0);
  const change = (id: number, changes: Partial<Row>) => setRows((before) => before.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  const lines: Line[] = rows.map((row) => ({ price: row.price, quantity: row.quantity, category: row.category, rate: row.category === "S" ? row.rate : "0", gross }));
  const usable = lines.filter((line) => wrongParts(line).length === 0);
  const sale = compute(usable);
  const add = () => {
    setLast(last + 1);
    setRows([...rows, { ...blank, id: last + 1 }]);
  };
  return (
    <Page title={t("tool_vat_title")}>
      <p className="-mt-3 text-muted">{t("tool_vat_lead")}</p>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <span className="font-bold">{t("tool_vat_prices")}</span>
            <ToggleButtonGroup aria-label={t("tool_vat_prices")} selectionMode="single" disallowEmptySelection selectedKeys={[gross ? "gross" : "net"]} onSelectionChange={(keys) => setGross(keys.has("gross"))} className="flex rounded-md border border-line bg-surface p-0.5">
              {(["net", "gross"] as const).map((id) => <ToggleButton key={id} id={id} className="cursor-default rounded px-3 py-1 text-muted data-[selected]:bg-tint data-[selected]:font-bold data-[selected]:text-accent">{t(id === "net" ? "tool_vat_net" : "tool_vat_gross")}</ToggleButton>)}
            </ToggleButtonGroup>
          </div>
          {rows.map((row, i) => {
            const line = lines[i];
            const wrong = line ? wrongParts(line).filter((part) => row.left.includes(part)) : [];
            const leave = (part: Part) => () => change(row.id, { left: [...row.left, part] });
            return (
              <fieldset key={row.id} data-line={i + 1} className="rounded-xl border border-line bg-surface p-4">
                <legend className="sr-only">{t("tool_vat_line", { n: i + 1 })}</legend>
                <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1.2fr_0.8fr_1.6fr_0.8fr_auto]">
                  <Field label={t("tool_vat_price")} name="price" inputMode="decimal" value={row.price} onChange={(text) => change(row.id, { price: westernNumber(text) })} onBlur={leave("price")} problem={wrong.includes("price") ? t("tool_vat_wrong_price") : undefined} ltr />
                  <Field label={t("tool_vat_quantity")} name="quantity" inputMode="decimal" value={row.quantity} onChange={(text) => change(row.id, { quantity: westernNumber(text) })} onBlur={leave("quantity")} problem={wrong.includes("quantity") ? t("tool_vat_wrong_quantity") : undefined} ltr />
                  <div className="col-span-2 sm:col-span-1"><Choice label={t("tool_vat_category")} value={row.category} onChange={(id) => change(row.id, { category: id as Category })} options={categories.map((id) => ({ id, label: t(`tool_vat_${id}`) }))} /></div>
                  {row.category === "S" ? (
                    <Field label={t("tool_vat_rate")} name="rate" inputMode="decimal" value={row.rate} onChange={(text) => change(row.id, { rate: westernNumber(text) })} onBlur={leave("rate")} problem={wrong.includes("rate") ? t("tool_vat_wrong_rate") : undefined} ltr />
                  ) : (
                    <Field label={t("tool_vat_rate")} name="rate" value="0" isDisabled ltr />
                  )}
                  {rows.length > 1 && (
                    <Button aria-label={t("tool_vat_remove", { n: i + 1 })} onPress={() => setRows(rows.filter((r) => r.id !== row.id))} className="mt-6 grid size-10 place-items-center justify-self-end rounded-md text-muted hover:bg-sunken"><Trash2 size={16} aria-hidden /></Button>
                  )}
                </div>
              </fieldset>
            );
          })}
          <div><Action onPress={add}><Plus size={16} aria-hidden />{t("tool_vat_add")}</Action></div>
        </div>
        <Panel title={t("tool_vat_result")} more={<span className="text-muted"><Riyal /></span>}>
          <div className="grid gap-3 p-4" aria-live="polite">
            {sale.breakdown.map((row) => (
              <dl key={`${row.category} ${row.rate}`} className="grid grid-cols-[minmax(0,1fr)_7rem] gap-1 border-b border-line pb-3">
                <dt className="col-span-2 font-bold">{t(`tool_vat_${row.category}`)} <bdi className="font-normal text-muted">{row.rate}%</bdi></dt>
                <dt className="text-muted">{t("tool_vat_taxable")}</dt>
                <dd className="text-right"><Amount of={row.taxable} /></dd>
                <dt className="text-muted">{t("tool_vat_amount")}</dt>
                <dd className="text-right"><Amount of={row.vat} /></dd>
              </dl>
            ))}
            <dl className="grid grid-cols-[minmax(0,1fr)_7rem] gap-1">
              <dt className="text-muted">{t("tool_vat_without")}</dt>
              <dd data-result="without" className="text-right"><Amount of={sale.withoutVAT} /></dd>
              <dt className="text-muted">{t("tool_vat_amount")}</dt>
              <dd data-result="vat" className="text-right"><Amount of={sale.vat} /></dd>
              <dt className="font-bold">{t("tool_vat_total")}</dt>
              <dd data-result="with" className="text-right font-bold"><Amount of={sale.withVAT} /></dd>
              {sale.payable !== undefined && sale.rounding !== undefined && sale.rounding !== "0.00" && (
                <>
                  <dt className="text-muted">{t("tool_vat_rounding")}</dt>
                  <dd className="text-right"><Amount of={sale.rounding} /></dd>
                  <dt className="font-bold">{t("tool_vat_payable")}</dt>
                  <dd data-result="payable" className="text-right font-bold"><Amount of={sale.payable} /></dd>
                </>
              )}
            </dl>
            <p className="text-xs text-muted">{sale.rounding !== undefined && sale.rounding !== "0.00" ? t("tool_vat_rounding_text") : t("tool_vat_how")}</p>
          </div>
        </Panel>
      </div>
    </Page>
  );
}
