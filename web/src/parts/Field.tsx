import type { ReactNode } from "react";
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from "react-aria-components";

type Props = Omit<TextFieldProps, "className" | "children"> & {
  label: string;
  help?: ReactNode;
  problem?: string | undefined;
  /** For what is written from left to right, such as an address or a number. */
  ltr?: boolean;
  /** For what is written in Arabic. */
  rtl?: boolean;
  rows?: number;
  placeholder?: string;
  hideLabel?: boolean;
};

const look = "min-h-10 w-full min-w-0 rounded-md border border-line bg-surface px-3 text-start data-[invalid]:border-bad";

/** A text field with its label, help and problem. */
export function Field({ label, help, problem, ltr, rows, placeholder = "", hideLabel, rtl, ...rest }: Props) {
  const direction = ltr ? "ltr" : rtl ? "rtl" : undefined;
  return (
    <TextField {...rest} validationBehavior="aria" isInvalid={Boolean(problem)} {...(hideLabel && { "aria-label": label })} className="flex min-w-0 flex-col gap-1">
      {!hideLabel && <Label className="text-sm text-muted">{label}</Label>}
      {rows ? <TextArea rows={rows} dir={direction} placeholder={placeholder} className={`${look} py-2`} /> : <Input dir={direction} placeholder={placeholder} className={look} />}
      {help && <Text slot="description" className="text-xs text-muted">{help}</Text>}
      <FieldError className="text-xs text-bad">{problem}</FieldError>
    </TextField>
  );
}
