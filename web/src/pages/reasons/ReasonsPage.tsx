import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { app } from "../../data/client";
import { type Reason, reasonsQuery } from "../../data/settings";
import { Action } from "../../parts/Action";
import { Count, List, useList } from "../../parts/List";
import { Mark } from "../../parts/Mark";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Quiet } from "../../parts/Quiet";
import { useSession } from "../../parts/session";
import { FormError, useFailureText } from "../../parts/states";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import { ReasonSheet } from "./ReasonSheet";

export default function ReasonsPage() {
  const { t, n } = useWords();
  const { can } = useSession();
  const { cursor, set } = useList();
  const queries = useQueryClient();
  const text = useFailureText();
  const reasons = useQuery(reasonsQuery(cursor));
  const [editing, setEditing] = useState<Reason | "new" | null>(null);
  const turn = useMutation({
    mutationFn: ({ reason, on }: { reason: Reason; on: boolean; undoing?: boolean }) => app.PATCH("/api/reasons/{reason_id}/", { params: { path: { reason_id: reason.uuid } }, body: { is_active: on } }),
    onSuccess: async (_, { reason, on, undoing }) => {
      await queries.invalidateQueries({ queryKey: ["reasons"] });
      const said = t(on ? "reason_activated" : "reason_deactivated");
      if (undoing) notify(said);
      else notify(said, { label: t("undo"), run: () => turn.mutate({ reason, on: !on, undoing: true }) });
    },
  });
  const create = <Action look="main" onPress={() => setEditing("new")}><Plus size={16} aria-hidden />{t("reason_new")}</Action>;
  const days = (of: Reason) => (of.due_days === null ? t("reason_days_default") : of.due_days === 0 ? t("reason_days_zero") : n("n_days", of.due_days));
  const columns: Column<Reason>[] = [
    { title: t("reason_text"), cell: (r) => <div className={`break-words whitespace-normal ${r.is_active ? "font-bold" : "text-muted"}`}><bdi>{r.description}</bdi></div> },
    { title: t("reason_days"), cell: days },
    { title: t("reason_state"), cell: (r) => (r.is_active ? <Mark look="good">{t("reason_active")}</Mark> : <Mark look="off">{t("reason_inactive")}</Mark>) },
  ];
  if (can("Accountant")) {
    columns.push({
      title: <span className="sr-only">{t("edit")}</span>,
      cell: (r) => (
        <span className="flex justify-end gap-1">
          <Quiet label={t("reason_edit_named", { text: r.description })} onPress={() => setEditing(r)}>{t("edit")}</Quiet>
          <span className="md:w-24"><Quiet label={t(r.is_active ? "reason_deactivate_named" : "reason_activate_named", { text: r.description })} isDisabled={turn.isPending} onPress={() => turn.mutate({ reason: r, on: !r.is_active })}>{t(r.is_active ? "reason_deactivate" : "reason_activate")}</Quiet></span>
        </span>
      ),
    });
  }
  return (
    <Page title={t("reason_title")} note={<Count of={reasons.data} word="n_reasons" />} actions={can("Accountant") && create}>
      <p className="-mt-3 text-muted">{t("reason_lead")}</p>
      <FormError>{turn.error ? text(turn.error) : ""}</FormError>
      <List query={reasons} rows={(d) => d.reasons} filtered={false} cursor={cursor} onCursor={(next) => set({ cursor: next })} empty={{ title: t("reason_none"), text: t("reason_none_text") }}>
        {(d) => <Table label={t("reason_title")} rows={d.reasons} keyOf={(r) => r.uuid} columns={columns} />}
      </List>
      {editing && <ReasonSheet of={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}
