import { type EarlierFile, type Fate, MissingColumns, uploadEarlier } from "../../data/imports";
import { saveFile } from "../../data/request";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { Action } from "../../parts/Action";
import { columnsOf, MissingFields } from "../../parts/Columns";
import { EditForm, Incomplete, useFieldProblems } from "../../parts/EditForm";
import { FateFilter, FateRows } from "../../parts/Fates";
import { FileInput } from "../../parts/FileInput";
import { notify } from "../../parts/notify";
import { csvFile } from "../../parts/files";
import { Buttons } from "../../parts/Sheet";
import { FormError, useFailureText } from "../../parts/states";
import { useWords } from "../../words";

/** Registers the invoices of a file, after showing what would happen to each row. */
export function EarlierFileForm({ onClose }: { onClose: () => void }) {
  const { t, n } = useWords();
  const text = useFailureText();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [columns, setColumns] = useState<Record<string, string>>({});
  const [missing, setMissing] = useState<string[]>([]);
  const check = useMutation({
    mutationFn: async () => {
      if (!file) throw new Incomplete({ file: t("import_file_missing") });
      return uploadEarlier(columnsOf(columns), file, true);
    },
    onError: (error) => {
      if (error instanceof MissingColumns) setMissing((before) => [...new Set([...before, ...error.columns])]);
    },
  });
  const register = useMutation({
    mutationFn: async () => {
      if (!file) throw new Error("no file");
      return uploadEarlier(columnsOf(columns), file, false);
    },
    onSuccess: (result) => {
      void queries.invalidateQueries({ queryKey: ["earlier"] });
      notify(n("earlier_file_done", result.invoices));
      onClose();
    },
  });
  const problems = useFieldProblems(check.error, ["file"]);
  const result = check.data;
  if (result) {
    return (
      <>
        <Fates of={result} />
        {register.error && <FormError>{text(register.error)}</FormError>}
        <Buttons>
          <Action onPress={() => check.reset()}>{t("import_file_other")}</Action>
          {result.invoices > 0 && <Action look="main" isDisabled={register.isPending} onPress={() => register.mutate()}>{n("earlier_file_run", result.invoices)}</Action>}
        </Buttons>
      </>
    );
  }
  return (
    <EditForm label={t("earlier_file")} onSubmit={() => check.mutate()} onCancel={onClose} isPending={check.isPending} error={check.error} failure={check.error instanceof MissingColumns ? "" : problems.rest} submit={t("import_check")}>
      <div className="grid gap-2">
        <FileInput
          label={t("import_file")}
          value={file}
          onChange={(next) => {
            setFile(next);
            setMissing([]);
            setColumns({});
            check.reset();
          }}
          problem={problems.of("file")}
        />
        <p className="text-xs text-muted">{t("earlier_file_help")}</p>
        <Button onPress={() => saveFile(csvFile(t("earlier_sample")), t("earlier_sample_name"))} className="flex items-center gap-2 justify-self-start rounded-md font-bold text-accent"><FileDown size={16} aria-hidden />{t("import_sample")}</Button>
      </div>
      {missing.length > 0 && <MissingFields missing={missing} values={columns} onChange={(field, next) => setColumns((before) => ({ ...before, [field]: next }))} />}
    </EditForm>
  );
}

function Fates({ of }: { of: EarlierFile }) {
  const { t } = useWords();
  const [fate, setFate] = useState<Fate | "">("");
  const rows = of.rows.filter((row) => !fate || row.fate === fate);
  return (
    <>
      <p className="text-muted">{t(of.invoices > 0 ? "earlier_file_checked" : "earlier_file_nothing")}</p>
      <FateFilter counts={of.counts} total={of.rows_total} chosen={fate} onChoose={setFate} />
      <div className="max-h-96 overflow-y-auto rounded-md border border-line" tabIndex={0} role="region" aria-label={t("import_rows")}>
        <FateRows nameTitle={t("earlier_number")} rows={rows.map((row) => ({ ...row, name: row.number }))} />
      </div>
    </>
  );
}
