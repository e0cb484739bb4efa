import { ChevronDown } from "lucide-react";
import { memo, useId } from "react";

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
  /** Whether a problem is shown elsewhere. */
  invalid?: boolean;
  hideLabel?: boolean;
  compact?: boolean;
  /** The look of a filter. */
  pill?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
}

/** Returns a text with its own direction, which does not change that of the select. */
const isolated = (text: string) => (text ? `\u2068${text}\u2069` : "");

/** A choice among a few options. It is a select of the browser itself, which is drawn and opened faster than one of scripts. */
export const Choice = memo(function Choice({ label, options, value, onChange, help, problem, invalid = Boolean(problem), hideLabel, compact, pill, isDisabled = false, placeholder = "" }: Props) {
  const id = useId();
  const known = options.some((option) => option.id === value);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {!hideLabel && <label htmlFor={id} className="text-sm text-muted">{label}</label>}
      <span className="relative flex min-w-0 items-center">
        <select
          id={id}
          {...(hideLabel && { "aria-label": label })}
          aria-invalid={invalid}
          aria-describedby={`${id}help ${id}problem`}
          disabled={isDisabled}
          value={known ? value : ""}
          onChange={(event) => onChange(event.target.value)}
          className={`${pill ? "min-h-8 rounded-full ps-3 [field-sizing:content]" : compact ? "min-h-9 rounded-md ps-2" : "min-h-10 rounded-md ps-3"} w-full min-w-0 appearance-none truncate border bg-surface pe-8 disabled:opacity-60 ${invalid ? "border-bad" : "border-line"} ${known || invalid ? "" : "text-muted"}`}
        >
          {!known && <option value="" disabled>{isolated(placeholder)}</option>}
          {options.map((option) => <option key={option.id} value={option.id} className="text-ink">{isolated(option.label)}</option>)}
        </select>
        <ChevronDown size={16} aria-hidden className="pointer-events-none absolute inset-e-2.5 text-muted" />
      </span>
      {help && <span id={`${id}help`} className="text-xs text-muted">{help}</span>}
      {problem && <span id={`${id}problem`} className="text-xs text-bad">{problem}</span>}
    </div>
  );
});
