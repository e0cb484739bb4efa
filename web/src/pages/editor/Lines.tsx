import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button, Input, TextField } from "react-aria-components";
import { flushSync } from "react-dom";
import { unitsQuery, vatQuery } from "../../data/lists";
import type { ItemSuggestion } from "../../data/suggest";
import { Action } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Choice } from "../../parts/Choice";
import { westernNumber } from "../../parts/decimal";
import { notify } from "../../parts/notify";
import { Toggle } from "../../parts/Toggle";
import { useWords } from "../../words";
import type { Amounts } from "./amounts";
import { cellLook } from "./cells";
import { ItemCell } from "./ItemCell";
import { blankLine, type Category, type Content, isEmpty, type ItemOfLine, type Line, newKey, withoutId } from "./model";
import { readItem } from "./useDraft";

interface Props {
  content: Content;
  amounts: Amounts;
  change: (update: (before: Content) => Content) => void;
  problemOf: (field: string) => string | undefined;
  touch: (field: string) => void;
}

/** Moves the focus to a cell of a line: at once, or as soon as it is drawn. */
function focusCell(key: string, column: string, tries = 10) {
  const input = document.querySelector<HTMLInputElement>(`[data-field="line.${key}.${column}"] input`);
  input?.focus();
  input?.select();
  if (!input && tries > 0) requestAnimationFrame(() => focusCell(key, column, tries - 1));
}

/** The lines of a document, written with the keyboard. */
export function Lines({ content, amounts, change, problemOf, touch }: Props) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const { lines } = content;

  const update = (key: string, values: Partial<Line>) => change((before) => ({ ...before, lines: before.lines.map((line) => (line.key === key ? { ...line, ...values } : line)) }));
  const insertAfter = (key: string | null, line: Line) =>
    flushSync(() =>
      change((before) => {
        const at = key === null ? before.lines.length : before.lines.findIndex((l) => l.key === key) + 1;
        return { ...before, lines: before.lines.toSpliced(at, 0, line) };
      }),
    );
  const addLine = (after: string | null) => {
    const line = blankLine();
    insertAfter(after, content.transactionCode === "0100100" ? { ...line, category: "Z", rate: "0" } : line);
    focusCell(line.key, "name");
  };
  const remove = (line: Line) => {
    const at = lines.indexOf(line);
    change((before) => ({ ...before, lines: before.lines.length > 1 ? before.lines.filter((l) => l.key !== line.key) : [blankLine()] }));
    if (!isEmpty(line)) notify(t("editor_line_removed"), { label: t("undo"), run: () => change((before) => ({ ...before, lines: before.lines.toSpliced(at, 0, line).filter((l) => l === line || !isEmpty(l)) })) });
    const next = lines[at + 1] ?? lines[at - 1];
    if (next) focusCell(next.key, "name");
  };
  const move = (key: string, by: number) =>
    flushSync(() => change((before) => {
      const from = before.lines.findIndex((line) => line.key === key);
      const to = from + by;
      const line = before.lines[from];
      if (!line || to < 0 || to >= before.lines.length) return before;
      return { ...before, lines: before.lines.toSpliced(from, 1).toSpliced(to, 0, line) };
    }));
  const choose = (key: string, found: ItemSuggestion, focus: boolean) => {
    const item: ItemOfLine = {
      id: found.uuid,
      name: pick(found.item_name_arabic, found.item_name),
      price: found.item_net_price,
      unit: found.unit_of_measure,
      category: found.vat_category_code,
      rate: found.vat_rate,
      reasonCode: "",
      reasonText: "",
    };
    update(key, { ...withoutId(item), item, ...(content.inclusive && { price: "" }) });
    if (focus) focusCell(key, "quantity");
    if (found.vat_category_code === "S") return;
    // Suggestions do not have the reason for no VAT.
    void readItem(queries, found.uuid, pick).then((whole) => update(key, { item: whole, reasonCode: whole.reasonCode, reasonText: whole.reasonText }));
  };

  /** Goes from a cell to the next one, and from the last to the next line. */
  const advance = (line: Line, column: string) => {
    const order = ["name", "quantity", "price"];
    const next = order[order.indexOf(column) + 1];
    if (next) return focusCell(line.key, next);
    const following = lines[lines.indexOf(line) + 1];
    if (following) focusCell(following.key, "name");
    else addLine(line.key);
  };

  const keys = (event: KeyboardEvent, line: Line, column: string) => {
    if (event.ctrlKey && !event.shiftKey && event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      addLine(line.key);
    } else if (event.ctrlKey && event.code === "KeyD") {
      event.preventDefault();
      const copy = { ...line, key: newKey() };
      insertAfter(line.key, copy);
      focusCell(copy.key, "quantity");
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      event.stopPropagation();
      move(line.key, event.key === "ArrowUp" ? -1 : 1);
      focusCell(line.key, column);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.shiftKey && (column === "quantity" || column === "price")) {
      event.preventDefault();
      advance(line, column);
    }
  };

  return (
    <section aria-labelledby="lines-title" className="rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
        <h2 id="lines-title" className="font-bold">{t("editor_lines")}</h2>
        <Toggle isSelected={content.inclusive} onChange={(inclusive) => change((before) => ({ ...before, inclusive }))}>{t("editor_inclusive")}</Toggle>
      </div>
      <div aria-hidden className={`hidden border-b border-line px-4 py-2 text-xs text-muted lg:grid ${columns}`}>
        <span />
        <span className="px-2">{t("editor_item")}</span>
        <span className="px-2 text-right">{t("editor_quantity")}</span>
        <span className="px-2">{t("editor_unit")}</span>
        <span className="px-2 text-right">{t(content.inclusive ? "editor_price_inclusive" : "editor_price")}</span>
        <span className="px-2">{t("editor_vat")}</span>
        <span className="text-right">{t(content.inclusive ? "editor_total" : "editor_net")}</span>
        <span />
      </div>
      <ol className="divide-y divide-line">
        {lines.map((line, i) => (
          <LineRow
            key={line.key}
            number={i + 1}
            line={line}
            amount={content.inclusive ? amounts.lines.get(line.key)?.total : amounts.lines.get(line.key)?.net}
            inclusive={content.inclusive}
            problemOf={(name) => problemOf(`line.${line.key}.${name}`)}
            touch={(name) => touch(`line.${line.key}.${name}`)}
            update={(values) => update(line.key, values)}
            onItem={(item, scanned) => {
              choose(line.key, item, !scanned);
              if (scanned) addLine(line.key);
            }}
            onEnter={() => line.name.trim() && advance(line, "name")}
            onRemove={() => remove(line)}
            onKeyDown={(event, column) => keys(event, line, column)}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
        <Action onPress={() => addLine(null)}><Plus size={16} aria-hidden />{t("editor_add_line")}</Action>
        <p className="hidden text-xs text-muted md:block">{t("editor_keys_hint")}</p>
      </div>
    </section>
  );
}

const columns = "lg:grid-cols-[1rem_minmax(0,1fr)_4.5rem_6rem_6.5rem_5.5rem_6rem_2rem] items-start gap-2";

interface RowProps {
  number: number;
  line: Line;
  amount: string | undefined;
  inclusive: boolean;
  problemOf: (name: string) => string | undefined;
  touch: (name: string) => void;
  update: (values: Partial<Line>) => void;
  onItem: (item: ItemSuggestion, scanned: boolean) => void;
  onEnter: () => void;
  onRemove: () => void;
  onKeyDown: (event: KeyboardEvent, column: string) => void;
}

function LineRow({ number, line, amount, inclusive, problemOf, touch, update, onItem, onEnter, onRemove, onKeyDown }: RowProps) {
  const { t } = useWords();
  const units = useUnits();
  const rates = useRates();
  const problems = ["name", "quantity", "unit", "price", "tax", "exemption"].map(problemOf).filter(Boolean);
  const cell = (column: string) => ({ "data-field": `line.${line.key}.${column}`, onKeyDown: (event: KeyboardEvent) => onKeyDown(event, column) });
  return (
    <li aria-label={t("editor_line_number", { number })} className="px-4 py-2">
      <div className={`grid grid-cols-2 ${columns}`}>
        <bdi className="hidden pt-2 text-muted lg:block">{number}</bdi>
        <div {...cell("name")} className="col-span-2 min-w-0 lg:col-span-1">
          <ItemCell label={t("editor_item")} name={line.name} invalid={Boolean(problemOf("name"))} onName={(name) => update({ name })} onItem={onItem} onEnter={onEnter} onBlur={() => touch("name")} />
        </div>
        <div {...cell("quantity")}>
          <CellLabel>{t("editor_quantity")}</CellLabel>
          <NumberCell label={t("editor_quantity")} value={line.quantity} invalid={Boolean(problemOf("quantity"))} onChange={(quantity) => update({ quantity })} onBlur={() => touch("quantity")} />
        </div>
        <div {...cell("unit")}>
          <CellLabel>{t("editor_unit")}</CellLabel>
          <Choice label={t("editor_unit")} hideLabel compact options={units} value={line.unit} onChange={(unit) => update({ unit })} />
        </div>
        <div {...cell("price")}>
          <CellLabel>{t(inclusive ? "editor_price_inclusive" : "editor_price")}</CellLabel>
          <NumberCell label={t(inclusive ? "editor_price_inclusive" : "editor_price")} value={line.price} invalid={Boolean(problemOf("price"))} onChange={(price) => update({ price })} onBlur={() => touch("price")} />
        </div>
        <div {...cell("tax")}>
          <CellLabel>{t("editor_vat")}</CellLabel>
          <Choice
            label={t("editor_vat")}
            hideLabel
            compact
            invalid={Boolean(problemOf("tax"))}
            options={rates}
            value={`${line.category}${line.rate}`}
            onChange={(id) => update({ category: id[0] as Category, rate: id.slice(1), ...(id[0] === "O" ? { reasonCode: "VATEX-SA-OOS" } : { reasonCode: "", reasonText: "" }) })}
            {...(!rates.some((r) => r.id === `${line.category}${line.rate}`) && { placeholder: `${line.rate}%` })}
          />
        </div>
        <div className="flex items-center justify-between gap-2 self-center font-bold lg:min-h-9 lg:justify-end rtl:lg:justify-start"><span className="text-xs font-normal text-muted lg:hidden">{t(inclusive ? "editor_total" : "editor_net")}</span>{amount ? <Amount of={amount} /> : <span className="text-muted">–</span>}</div>
        <Button aria-label={t("editor_remove_line", { number })} onPress={onRemove} className="grid size-9 place-items-center justify-self-end rounded-md text-muted hover:bg-sunken"><Trash2 size={16} aria-hidden /></Button>
      </div>
      {line.category !== "S" && <Exemption line={line} problem={problemOf("exemption")} update={update} touch={() => touch("exemption")} />}
      {problems.length > 0 && <p role="alert" className="pt-1 text-xs text-bad lg:ps-6">{problems.join(" ")}</p>}
    </li>
  );
}

/** The label of a cell where the lines have no heads. */
function CellLabel({ children }: { children: string }) {
  return <span aria-hidden className="text-xs text-muted lg:hidden">{children}</span>;
}

function NumberCell({ label, value, invalid, onChange, onBlur }: { label: string; value: string; invalid: boolean; onChange: (text: string) => void; onBlur: () => void }) {
  return (
    <TextField aria-label={label} value={value} onChange={(text) => onChange(westernNumber(text))} onBlur={onBlur} isInvalid={invalid} inputMode="decimal">
      <Input dir="ltr" className={`${cellLook} number text-right`} />
    </TextField>
  );
}

/** Why a line has no VAT, which the law asks for. */
function Exemption({ line, problem, update, touch }: { line: Line; problem: string | undefined; update: (values: Partial<Line>) => void; touch: () => void }) {
  const { t, pick } = useWords();
  const vat = useQuery(vatQuery);
  const kind = vat.data?.[line.category];
  const options = (kind?.reasons ?? []).map((reason) => ({ id: reason.code, label: pick(reason.text_ar, reason.text) }));
  return (
    <div data-field={`line.${line.key}.exemption`} className="pt-2 lg:ps-6">
      {kind?.is_free_text ? (
        <TextField aria-label={t("editor_exemption")} value={line.reasonText} onChange={(reasonText) => update({ reasonText })} onBlur={touch} isInvalid={Boolean(problem)}>
          <Input dir="auto" placeholder={t("editor_exemption_free")} className={cellLook} />
        </TextField>
      ) : (
        <Choice
          label={t("editor_exemption")}
          hideLabel
          compact
          options={options}
          value={line.reasonCode}
          placeholder={t("editor_exemption")}
          onChange={(code) => {
            const reason = kind?.reasons.find((r) => r.code === code);
            update({ reasonCode: code, reasonText: pick(reason?.text_ar, reason?.text) });
          }}
        />
      )}
    </div>
  );
}

function useUnits() {
  const { pick } = useWords();
  const units = useQuery(unitsQuery);
  return (units.data ?? []).map((unit) => ({ id: unit.code, label: pick(unit.description_ar, unit.description) }));
}

function useRates() {
  const { t } = useWords();
  return [
    { id: "S15", label: "15%" },
    { id: "S5", label: "5%" },
    { id: "Z0", label: t("editor_zero_rated") },
    { id: "E0", label: t("editor_exempt") },
    { id: "O0", label: t("editor_out_of_scope") },
  ];
}
