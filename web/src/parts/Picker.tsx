import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from "react-aria-components";
import { useWords } from "../words";
import { popover } from "./popover";
import { useSettled } from "./useSettled";

interface Props<T> {
  label: string;
  /** Returns the query that suggests records for what was typed. */
  suggest: (text: string) => UseQueryOptions<T[], Error, T[], any>;
  keyOf: (record: T) => string;
  textOf: (record: T) => string;
  /** What an entry of the list shows; the text unless given. */
  show?: (record: T) => ReactNode;
  /** The text of the chosen record, or empty. */
  chosen: string;
  onChoose: (record: T | null) => void;
  /** Creates a record from what was typed. */
  onCreate?: (text: string) => void;
  createText?: string;
  hideLabel?: boolean;
  /** The look of a filter. */
  pill?: boolean;
  help?: string;
  problem?: string | undefined;
  placeholder?: string;
  isDisabled?: boolean;
}

const create = "\u0000create";

/** Chooses a record by typing a part of it. */
export function Picker<T extends object>({ label, suggest, keyOf, textOf, show, chosen, onChoose, onCreate, createText, hideLabel, pill, help, problem, placeholder = "", isDisabled = false }: Props<T>) {
  const { t } = useWords();
  const [typed, setTyped] = useState<string | null>(null); // null while nothing is being typed
  const [picked, setPicked] = useState<string | null>(null); // the entry just chosen; the menu closes when it changes
  const text = typed ?? chosen;
  const asked = useSettled(typed ?? "");
  const found = useQuery(suggest(asked));
  // What was found for another text is not offered.
  const settled = asked === (typed ?? "") && found.data !== undefined;
  const records = settled ? found.data : [];
  const entries: { id: string; record: T | null }[] = records.map((record) => ({ id: keyOf(record), record }));
  if (onCreate && settled) entries.push({ id: create, record: null });
  return (
    <ComboBox
      items={entries}
      inputValue={text}
      onInputChange={(next) => {
        if (next === text) return;
        setTyped(next);
        setPicked(null);
        if (next === "" && chosen) onChoose(null);
      }}
      value={picked}
      onChange={(key) => {
        if (key === null) return;
        const typedText = typed ?? "";
        setTyped(null);
        setPicked(String(key));
        if (key === create) onCreate?.(typedText);
        else onChoose(records.find((record) => keyOf(record) === key) ?? null);
      }}
      onBlur={() => {
        setTyped(null);
        setPicked(null);
      }}
      menuTrigger="focus"
      allowsEmptyCollection
      allowsCustomValue
      validationBehavior="aria"
      isInvalid={Boolean(problem)}
      isDisabled={isDisabled}
      {...(hideLabel && { "aria-label": label })}
      className="flex min-w-0 flex-col gap-1"
    >
      {!hideLabel && <Label className="text-sm text-muted">{label}</Label>}
      <Input placeholder={placeholder} {...(text && { dir: "auto" })} className={`${pill ? "min-h-8 rounded-full sm:w-44" : "min-h-10 rounded-md"} w-full min-w-0 border border-line bg-surface px-3 data-[invalid]:border-bad`} />
      {help && <Text slot="description" className="text-xs text-muted">{help}</Text>}
      <FieldError className="text-xs text-bad">{problem}</FieldError>
      <Popover className={`${popover} w-(--trigger-width) min-w-64`}>
        <ListBox className="max-h-80 overflow-auto p-1 outline-none" renderEmptyState={() => <p className="px-3 py-2 text-muted">{!settled ? t("loading") : t("nothing_found")}</p>}>
          {(entry: (typeof entries)[number]) => (
            <ListBoxItem id={entry.id} textValue={entry.record ? textOf(entry.record) : (createText ?? "")} className="cursor-default rounded-md px-3 py-2 outline-none data-[focused]:bg-sunken">
              {entry.record ? (show?.(entry.record) ?? textOf(entry.record)) : <span className="font-bold text-accent">{createText}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
