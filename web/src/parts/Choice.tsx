import { Check, ChevronDown } from "lucide-react";
import { Button, FieldError, Label, ListBox, ListBoxItem, Popover, Select, SelectValue, Text } from "react-aria-components";
import { popover } from "./popover";

export interface Option {
  id: string;
  label: string;
}

interface Props {
  label: string;
  options: Option[];
  value: string;
  onChange: (id: string) => void;
  help?: string;
  problem?: string | undefined;
  hideLabel?: boolean;
  compact?: boolean;
  /** The look of a filter. */
  pill?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
}

/** A choice among a few options. */
export function Choice({ label, options, value, onChange, help, problem, hideLabel, compact, pill, isDisabled = false, placeholder = "" }: Props) {
  return (
    <Select value={value || null} onChange={(key) => key !== null && onChange(String(key))} validationBehavior="aria" isInvalid={Boolean(problem)} isDisabled={isDisabled} placeholder={placeholder} {...(hideLabel && { "aria-label": label })} className="flex min-w-0 flex-col gap-1">
      {!hideLabel && <Label className="text-sm text-muted">{label}</Label>}
      <Button className={`flex ${pill ? "min-h-8 rounded-full px-3" : compact ? "min-h-9 rounded-md px-2" : "min-h-10 rounded-md px-3"} w-full items-center justify-between gap-2 border border-line bg-surface text-start disabled:opacity-60 data-[invalid]:border-bad`}>
        <SelectValue className={`min-w-0 data-[placeholder]:text-muted ${pill || compact ? "truncate" : "py-1.5 wrap-anywhere"}`} />
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
      </Button>
      {help && <Text slot="description" className="text-xs text-muted">{help}</Text>}
      <FieldError className="text-xs text-bad">{problem}</FieldError>
      <Popover className={`${popover} min-w-(--trigger-width)`}>
        <ListBox items={options} className="max-h-72 overflow-auto p-1 outline-none">
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className="flex cursor-default items-center justify-between gap-3 rounded-md px-3 py-2 outline-none data-[focused]:bg-sunken">
              {({ isSelected }) => (
                <>
                  <bdi className="wrap-anywhere">{option.label}</bdi>
                  {isSelected && <Check size={16} aria-hidden className="text-accent" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
