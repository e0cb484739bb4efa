import { type Import, type ImportData, MissingColumns, uploadImport } from "../../data/imports";
import { saveFile } from "../../data/request";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { Choice } from "../../parts/Choice";
import { columnsOf, MissingFields } from "../../parts/Columns";
import { EditForm, Incomplete, useFieldProblems } from "../../parts/EditForm";
import { FileInput } from "../../parts/FileInput";
import { csvFile } from "../../parts/files";
import { Toggle } from "../../parts/Toggle";
import { useWords } from "../../words";

type Kind = ImportData["kind"];

/** Uploads a table of clients or items, which is only checked. */
export function UploadForm({ kind: first, onSaved, onCancel }: { kind: Kind; onSaved: (uploaded: Import) => void; onCancel: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>(first);
  const [file, setFile] = useState<File | null>(null);
  const [update, setUpdate] = useState(false);
  const [columns, setColumns] = useState<Record<string, string>>({});
  const [missing, setMissing] = useState<string[]>([]);
  const forget = () => {
    setMissing([]);
    setColumns({});
  };
  const send = useMutation({
    mutationFn: async () => {
      if (!file) throw new Incomplete({ file: t("import_file_missing") });
      return uploadImport({ kind, update_existing: update, columns: columnsOf(columns) }, file);
    },
    onError: (error) => {
      if (error instanceof MissingColumns) setMissing((before) => [...new Set([...before, ...error.columns])]);
    },
    onSuccess: (uploaded) => {
      void queries.invalidateQueries({ queryKey: ["imports"] });
      onSaved(uploaded);
    },
  });
  const problems = useFieldProblems(send.error, ["file"]);
  const sample = () => saveFile(csvFile(t(kind === "clients" ? "import_sample_clients" : "import_sample_items")), t(kind === "clients" ? "import_sample_clients_name" : "import_sample_items_name"));
  return (
    <EditForm label={t("import_upload")} onSubmit={() => send.mutate()} onCancel={onCancel} isPending={send.isPending} error={send.error} failure={send.error instanceof MissingColumns ? "" : problems.rest} submit={t("import_check")}>
      <Choice
        label={t("import_kind")}
        options={[{ id: "clients", label: t("import_clients") }, { id: "items", label: t("import_items") }]}
        value={kind}
        onChange={(id) => {
          setKind(id as Kind);
          forget();
          send.reset();
        }}
      />
      <div className="grid gap-2">
        <FileInput
          label={t("import_file")}
          value={file}
          onChange={(next) => {
            setFile(next);
            forget();
            send.reset();
          }}
          problem={problems.of("file")}
        />
        <p className="text-xs text-muted">{t("import_file_help")}</p>
        <Button onPress={sample} className="flex items-center gap-2 justify-self-start rounded-md font-bold text-accent"><FileDown size={16} aria-hidden />{t("import_sample")}</Button>
      </div>
      {missing.length > 0 && <MissingFields missing={missing} values={columns} onChange={(field, text) => setColumns((before) => ({ ...before, [field]: text }))} />}
      <Toggle isSelected={update} onChange={setUpdate}>{t("import_update")}</Toggle>
    </EditForm>
  );
}
