import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { type Import, importsQuery } from "../../data/imports";
import { Action } from "../../parts/Action";
import { grouped } from "../../parts/Amount";
import { Count, List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { Sheet } from "../../parts/Sheet";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import { ImportState } from "./ImportState";
import { UploadForm } from "./UploadForm";

export default function ImportsPage() {
  const { t } = useWords();
  const { params, cursor, set } = useList();
  const [, navigate] = useLocation();
  const wanted = params.get("kind"); // the pages of clients and items lead here
  const [open, setOpen] = useState(Boolean(wanted));
  const list = useQuery(importsQuery(cursor));
  const columns: Column<Import>[] = [
    { title: t("import_file_name"), cell: (one) => <bdi>{one.filename}</bdi> },
    { title: t("import_kind"), cell: (one) => t(one.kind === "clients" ? "import_clients" : "import_items") },
    { title: t("import_state"), cell: (one) => <ImportState of={one.state} /> },
    { title: t("import_at"), cell: (one) => <Moment at={one.created_at} />, minor: true },
    { title: t("import_rows"), cell: (one) => <bdi className="number">{grouped(String(one.rows_total))}</bdi>, number: true, minor: true },
  ];
  return (
    <Page title={t("nav_imports")} note={<Count of={list.data} word="n_imports" />} actions={<Action look="main" onPress={() => setOpen(true)}><FileUp size={16} aria-hidden />{t("import_upload")}</Action>}>
      <List query={list} rows={(data) => data.imports} empty={{ title: t("import_none"), text: t("import_none_text") }} filtered={false} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("nav_imports")} rows={data.imports} columns={columns} keyOf={(one) => one.uuid} href={(one) => `/imports/${one.uuid}`} />}
      </List>
      <Sheet title={t("import_upload")} isOpen={open} onClose={() => setOpen(false)} wide>
        <UploadForm kind={wanted === "items" ? "items" : "clients"} onSaved={(uploaded) => navigate(`/imports/${uploaded.uuid}`)} onCancel={() => setOpen(false)} />
      </Sheet>
    </Page>
  );
}
