import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useWords } from "../words";
import { Action } from "./Action";
import { Buttons, Sheet } from "./Sheet";
import { FormError, useFailureText } from "./states";

interface Props {
  title: string;
  /** The word of the button, which says what happens. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that nothing can undo. */
export function Confirm({ title, action, onConfirm, onClose, children }: Props) {
  const { t } = useWords();
  const text = useFailureText();
  const run = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Sheet title={title} isOpen onClose={onClose}>
      <div className="grid gap-3">{children}</div>
      <FormError>{run.error ? text(run.error) : ""}</FormError>
      <Buttons>
        <Action onPress={onClose}>{t("cancel")}</Action>
        <Action look="main" isPending={run.isPending} onPress={() => run.mutate()}>{action}</Action>
      </Buttons>
    </Sheet>
  );
}
