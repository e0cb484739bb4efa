import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { type ItemSuggestion, suggestItems } from "../../data/suggest";
import { Amount } from "../../parts/Amount";
import { popover } from "../../parts/popover";
import { useSettled } from "../../parts/useSettled";
import { useWords } from "../../words";
import { cellLook } from "./cells";

interface Props {
  label: string;
  name: string;
  invalid: boolean;
  onName: (name: string) => void;
  /** An item was chosen from the list, or its code was scanned. */
  onItem: (item: ItemSuggestion, scanned: boolean) => void;
  /** Enter was pressed on a text that is not the code of an item. */
  onEnter: () => void;
  onBlur: () => void;
}

/** The name of a line: free text, an item of the catalogue, or its barcode or SKU. */
export function ItemCell({ label, name, invalid, onName, onItem, onEnter, onBlur }: Props) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const asked = useSettled(name);
  const found = useQuery({ ...suggestItems(asked), enabled: asked !== "" });
  const items = asked !== "" && asked === name ? (found.data ?? []) : [];

  const enter = (event: KeyboardEvent<HTMLDivElement>) => {
    const input = event.target as HTMLInputElement;
    if (event.key !== "Enter" || event.ctrlKey || event.shiftKey || event.altKey || input.getAttribute("aria-activedescendant")) return;
    event.preventDefault();
    event.stopPropagation();
    const text = input.value.trim();
    const known = queries.getQueryData(suggestItems(text).queryKey);
    const code = known?.find((item) => item.exact);
    if (code) return onItem(code, true);
    onEnter();
    if (known || !/^\S{3,}$/.test(text)) return;
    // A scanner sends its code faster than the server answers.
    queries.fetchQuery(suggestItems(text)).then(
      (items) => {
        const late = items.find((item) => item.exact);
        if (late) onItem(late, true);
      },
      () => undefined,
    );
  };

  return (
    <div onKeyDownCapture={enter} className="min-w-0">
      <ComboBox
        aria-label={label}
        items={items}
        inputValue={name}
        onInputChange={(next) => next !== name && onName(next)}
        onSelectionChange={(key) => {
          const item = items.find((one) => one.uuid === key);
          if (item) onItem(item, false);
        }}
        onBlur={onBlur}
        isInvalid={invalid}
        allowsCustomValue
        menuTrigger="input"
      >
        <Input dir="auto" placeholder={t("editor_item_hint")} className={`${cellLook} text-start`} />
        <Popover className={`${popover} w-(--trigger-width) min-w-72`}>
          <ListBox className="max-h-80 overflow-auto p-1 outline-none">
            {(item: ItemSuggestion) => (
              <ListBoxItem id={item.uuid} textValue={pick(item.item_name_arabic, item.item_name)} className="flex cursor-default items-center justify-between gap-4 rounded-md px-3 py-2 outline-none data-[focused]:bg-sunken">
                <span className="min-w-0">
                  <bdi className="block truncate">{pick(item.item_name_arabic, item.item_name)}</bdi>
                  {(item.sku || item.stock !== null) && (
                    <span className="text-xs text-muted">{[item.sku, item.stock !== null && t("editor_stock", { count: item.stock })].filter(Boolean).join(" · ")}</span>
                  )}
                </span>
                <Amount of={item.item_net_price} />
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  );
}
