import { type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../words";
import { Action } from "./Action";
import { Buttons } from "./Sheet";
import { FormError, useProblems } from "./states";

interface Props {
  /** Says what the form does, for screen readers. */
  label: string;
  onSubmit: () => void;
  onCancel?: () => void;
  isPending: boolean;
  error: unknown;
  /** What is wrong with the whole. */
  failure: string;
  submit?: string;
  children: ReactNode;
}

/** A form with its buttons. After a refusal the first field with a problem has the focus. */
export function EditForm({ label, onSubmit, onCancel, isPending, error, failure, submit, children }: Props) {
  const { t } = useWords();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("input[aria-invalid=true], select[aria-invalid=true], textarea[aria-invalid=true], [data-invalid] button")?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // a dialog may be inside another form
        if (!isPending) onSubmit();
      }}
    >
      {children}
      <FormError>{failure}</FormError>
      <Buttons>
        {onCancel && <Action onPress={onCancel}>{t("cancel")}</Action>}
        <Action type="submit" look="main" isDisabled={isPending}>{submit ?? t("save")}</Action>
      </Buttons>
    </form>
  );
}

/** Fields that belong together. */
export function Fields({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
      <legend className="mb-3 font-bold">{title}</legend>
      {children}
    </fieldset>
  );
}

/** A problem that the form found itself, by the path of its field. */
export class Incomplete extends Error {
  constructor(readonly fields: Record<string, string>) {
    super("incomplete");
  }
}

/**
 * Returns what an error says of each field, whether the form or the server found it, and
 * what concerns no field of the form. The server may put a prefix before the paths.
 */
export function useFieldProblems(error: unknown, fields: string[], prefix = ""): { of: (path: string) => string | undefined; readonly rest: string } {
  const problems = useProblems(error, fields.flatMap((field) => [field, prefix + field]));
  if (error instanceof Incomplete) return { of: (path) => error.fields[path], rest: "" };
  return {
    of: (path) => problems.of(path) ?? (prefix ? problems.of(prefix + path) : undefined),
    get rest() {
      return problems.rest;
    },
  };
}
