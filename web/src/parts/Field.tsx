import type { ReactNode } from "react";
import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from "react-aria-components";

type Props = Omit<TextFieldProps, "className" | "children"> & { label: string; help?: ReactNode; problem?: string | undefined; ltr?: boolean };

/** A text field with its label, help and problem. */
export function Field({ label, help, problem, ltr, ...rest }: Props) {
  return (
    <TextField {...rest} isInvalid={Boolean(problem)} className="flex flex-col gap-1">
      <Label className="font-bold">{label}</Label>
      <Input dir={ltr ? "ltr" : undefined} className="min-h-10 w-full min-w-0 rounded-md border border-line bg-surface px-3 text-start invalid:border-bad data-[invalid]:border-bad" />
      {help && <Text slot="description" className="text-xs text-muted">{help}</Text>}
      <FieldError className="text-xs text-bad">{problem}</FieldError>
    </TextField>
  );
}
