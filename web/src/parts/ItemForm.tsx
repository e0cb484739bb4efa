import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Item, type ItemData, saveItem } from "../data/catalogue";
import { unitsQuery, vatCategoriesQuery, vatQuery } from "../data/lists";
import { useWords } from "../words";
import { Choice } from "./Choice";
import { isDecimal, westernDigits, westernNumber } from "./decimal";
import { EditForm, Fields, Incomplete, useFieldProblems } from "./EditForm";
import { Field } from "./Field";
import { PictureInput } from "./Picture";
import { Toggle } from "./Toggle";

interface Props {
  /** The name of a new item, as it was typed elsewhere. */
  initialName?: string;
  /** The item to change. */
  item?: Item;
  onSaved: (item: Item) => void;
  onCancel: () => void;
}

const fields = ["item_name", "item_name_arabic", "description", "sku", "barcode", "item_net_price", "unit_of_measure", "vat_category_code", "vat_rate", "vat_exemption_reason_code", "vat_exemption_reason_text", "stock", "files"];
const arabicLetters = /[\u0600-\u06ff]/;

/** Returns the names in Arabic and in Latin letters. The API needs item_name, which may be Arabic. */
function namesOf(item: Item | undefined, initialName: string): [arabic: string, latin: string] {
  const name = item ? item.item_name : initialName;
  const arabic = item?.item_name_arabic ?? "";
  if (name === arabic || (!arabic && arabicLetters.test(name))) return [name, ""];
  return [arabic, name];
}

/** Creates or changes an item. */
export function ItemForm({ initialName = "", item, onSaved, onCancel }: Props) {
  const { t, pick, language } = useWords();
  const queries = useQueryClient();
  const units = useQuery(unitsQuery).data ?? [];
  const categories = useQuery(vatCategoriesQuery).data ?? [];
  const vat = useQuery(vatQuery).data ?? {};
  const [[arabic, latin], setNames] = useState(() => namesOf(item, initialName));
  const [description, setDescription] = useState(item?.description ?? "");
  const [sku, setSKU] = useState(item?.sku ?? "");
  const [barcode, setBarcode] = useState(item?.barcode ?? "");
  const [price, setPrice] = useState(item?.item_net_price ?? "");
  const [unit, setUnit] = useState(item?.unit_of_measure ?? "PCE");
  const [tax, setTax] = useState(item ? `${item.vat_category_code} ${item.vat_rate}` : "S 15");
  const [reason, setReason] = useState(item?.vat_exemption_reason_code ?? "");
  const [reasonText, setReasonText] = useState(item?.vat_exemption_reason_text ?? "");
  const [stock, setStock] = useState(item?.stock ?? "");
  const [active, setActive] = useState(item?.is_active ?? true);
  const [picture, setPicture] = useState<File | null>(null);

  const [category = "S", rate = "15"] = tax.split(" ");
  const reasons = vat[category]?.reasons ?? [];
  const free = vat[category]?.is_free_text ?? false;
  const taxes = categories
    .flatMap((one) => (vat[one.code]?.vat_rates ?? []).map((percent) => ({ id: `${one.code} ${percent}`, label: `${percent}% – ${pick(one.description_ar, one.description)}` })))
    .sort((a, b) => order.indexOf(a.id[0] ?? "") - order.indexOf(b.id[0] ?? ""));
  if (taxes.length > 0 && !taxes.some((one) => one.id === tax)) taxes.push({ id: tax, label: `${rate}% – ${category}` });
  const unitOptions = units.map((one) => ({ id: one.code, label: pick(one.description_ar, one.description) })).sort((a, b) => Number(b.id === "PCE") - Number(a.id === "PCE") || a.label.localeCompare(b.label, language));
  if (units.length > 0 && !unitOptions.some((one) => one.id === unit)) unitOptions.push({ id: unit, label: unit });

  const chooseTax = (next: string) => {
    setTax(next);
    if (next[0] === category) return;
    const [only, ...others] = vat[next[0] ?? ""]?.reasons ?? [];
    setReason(only && others.length === 0 ? only.code : "");
    setReasonText("");
  };

  const save = useMutation({
    mutationFn: async () => {
      const missing: Record<string, string> = {};
      const main = language === "ar" ? "item_name_arabic" : "item_name";
      const name = latin.trim() || arabic.trim();
      if (!name) missing[main] = t("client_required");
      else if ([...name].length < 4) missing[latin.trim() ? "item_name" : "item_name_arabic"] = t("item_name_short");
      if (!price) missing.item_net_price = t("client_required");
      else if (!isDecimal(price)) missing.item_net_price = t("item_number_wrong");
      if (stock && !isDecimal(stock)) missing.stock = t("item_number_wrong");
      if (reasons.length > 0 && !reason) missing.vat_exemption_reason_code = t("client_required");
      if (free && !reasonText.trim()) missing.vat_exemption_reason_text = t("client_required");
      if (Object.keys(missing).length > 0) throw new Incomplete(missing);
      const chosen = reasons.find((one) => one.code === reason);
      const record: ItemData = {
        item_name: name,
        item_name_arabic: arabic.trim(),
        description: description.trim(),
        sku: sku.trim() || null,
        barcode: barcode.trim() || null,
        item_net_price: price,
        unit_of_measure: unit,
        vat_category_code: category as ItemData["vat_category_code"],
        vat_rate: rate,
        vat_exemption_reason_code: reason,
        vat_exemption_reason_text: free ? reasonText.trim() : (chosen?.text_ar ?? ""),
        stock: stock || null,
        is_active: active,
      };
      return saveItem(item?.uuid, record, picture);
    },
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: ["items"] });
      queries.setQueryData(["item", saved.uuid], saved);
      onSaved(saved);
    },
  });
  const problems = useFieldProblems(save.error, fields, "item_data.");

  const arabicName = <Field key="ar" label={t("item_name_arabic")} value={arabic} onChange={(text) => setNames([text, latin])} problem={problems.of("item_name_arabic") ?? (latin ? undefined : problems.of("item_name"))} autoFocus={!item && language === "ar"} />;
  const latinName = <Field key="en" label={t("item_name_latin")} value={latin} onChange={(text) => setNames([arabic, text])} problem={latin || language === "en" ? problems.of("item_name") : undefined} autoFocus={!item && language === "en"} ltr />;
  return (
    <EditForm label={item ? t("item_edit") : t("item_new")} onSubmit={() => save.mutate()} onCancel={onCancel} isPending={save.isPending} error={save.error} failure={problems.rest}>
      <Fields title={t("item_part_what")}>
        {language === "ar" ? [arabicName, latinName] : [latinName, arabicName]}
        <Field label={t("item_sku")} help={t("item_sku_help")} value={sku} onChange={setSKU} problem={problems.of("sku")} ltr />
        <Field label={t("item_barcode")} help={t("item_barcode_help")} value={barcode} onChange={(text) => setBarcode(westernDigits(text))} problem={problems.of("barcode")} ltr />
        <div className="sm:col-span-2"><Field label={t("item_description")} value={description} onChange={setDescription} problem={problems.of("description")} rows={2} /></div>
      </Fields>
      <Fields title={t("item_part_price")}>
        <Field label={t("item_price")} value={price} onChange={(text) => setPrice(westernNumber(text))} problem={problems.of("item_net_price")} ltr inputMode="decimal" />
        <Choice label={t("item_unit")} options={unitOptions} value={unit} onChange={setUnit} problem={problems.of("unit_of_measure")} />
        <div className="sm:col-span-2"><Choice label={t("item_vat")} options={taxes} value={tax} onChange={chooseTax} problem={problems.of("vat_category_code") ?? problems.of("vat_rate")} /></div>
        {reasons.length > 0 && !free && (
          <div className="sm:col-span-2"><Choice label={t("item_reason")} placeholder={t("item_reason_choose")} options={reasons.map((one) => ({ id: one.code, label: pick(one.text_ar, one.text) }))} value={reason} onChange={setReason} problem={problems.of("vat_exemption_reason_code") ?? problems.of("vat_exemption_reason_text")} /></div>
        )}
        {free && <div className="sm:col-span-2"><Field label={t("item_reason")} help={t("item_reason_free")} value={reasonText} onChange={setReasonText} problem={problems.of("vat_exemption_reason_text") ?? problems.of("vat_exemption_reason_code")} /></div>}
        <Field label={t("item_stock")} help={t("item_stock_help")} value={stock} onChange={(text) => setStock(westernNumber(text))} problem={problems.of("stock")} ltr inputMode="decimal" />
      </Fields>
      <Toggle isSelected={active} onChange={setActive}>{t("item_active")}</Toggle>
      {!item && (
        <fieldset>
          <legend className="mb-3 font-bold">{t("item_part_picture")}</legend>
          <PictureInput label={t("item_part_picture")} value={picture} onChange={setPicture} problem={problems.of("files")} />
        </fieldset>
      )}
    </EditForm>
  );
}

const order = "SZEO";
