import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, Form } from "react-aria-components";
import { app } from "../../data/client";
import { type Branch, branchesQuery } from "../../data/company";
import { data } from "../../data/queries";
import { Action } from "../../parts/Action";
import { AddressFields, addressOf, addressPaths, emptyAddress } from "../../parts/AddressFields";
import { Field } from "../../parts/Field";
import { useFocusProblem } from "../../parts/focus";
import { notify } from "../../parts/notify";
import { Panel } from "../../parts/Panel";
import { Registration, registrationPaths } from "../../parts/Registration";
import { useSession } from "../../parts/session";
import { Buttons, Sheet } from "../../parts/Sheet";
import { Empty, ErrorState, FormError, Loading, useFailureText, useProblems } from "../../parts/states";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";

/** The branches, in a dialog to add and change them. */
export function Branches() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const admin = can("Admin");
  const [cursor, setCursor] = useState("");
  const branches = useQuery(branchesQuery(cursor ? { cursor } : {}));
  const [open, setOpen] = useState<Branch | "new" | null>(null);
  const add = <Action onPress={() => setOpen("new")}><Plus size={16} aria-hidden />{t("branch_add")}</Action>;
  const columns: Column<Branch>[] = [
    { title: t("branch_name"), cell: (row) => (admin ? <Button onPress={() => setOpen(row)} className="rounded-sm text-start font-bold"><bdi>{row.name}</bdi></Button> : <bdi className="font-bold">{row.name}</bdi>) },
    { title: t("branch_city"), cell: (row) => <bdi>{pick(row.city_arabic, row.city)}</bdi> },
    { title: t("branch_registration"), cell: (row) => <bdi className="text-muted">{row.additional_seller_id.value}</bdi>, minor: true },
    { title: t("branch_status"), cell: (row) => <span className={row.is_active ? "text-good" : "text-muted"}>{t(row.is_active ? "branch_active" : "branch_inactive")}</span> },
    ...(admin ? [{ title: <span className="sr-only">{t("edit")}</span>, cell: (row: Branch) => <Activity branch={row} />, number: true }] : []),
  ];
  const further = branches.data?.next_cursor;
  return (
    <Panel title={t("branch_title")} more={admin && branches.data && branches.data.branches.length > 0 && add}>
      {branches.isPending ? (
        <Loading />
      ) : branches.error ? (
        <ErrorState error={branches.error} retry={() => void branches.refetch()} />
      ) : branches.data.branches.length === 0 ? (
        <Empty title={t("branch_empty")} action={admin && add}>{t("branch_empty_text")}</Empty>
      ) : (
        <>
          <Table label={t("branch_title")} rows={branches.data.branches} columns={columns} keyOf={(row) => row.uuid} />
          {(cursor || further) && (
            <div className="flex gap-2 border-t border-line p-4">
              {cursor && <Action onPress={() => setCursor("")}>{t("first_page")}</Action>}
              {further && <Action onPress={() => setCursor(further)}>{t("next")}</Action>}
            </div>
          )}
        </>
      )}
      <Sheet title={t(open === "new" ? "branch_add" : "branch_edit")} isOpen={open !== null} onClose={() => setOpen(null)} wide>
        {open && <BranchForm branch={open === "new" ? null : open} onDone={() => setOpen(null)} />}
      </Sheet>
    </Panel>
  );
}

/** Deactivates a branch or activates it again. */
function Activity({ branch }: { branch: Branch }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const text = useFailureText();
  const change = useMutation({
    mutationFn: (is_active: boolean) => data(app.PATCH("/api/branches/{branch_id}/", { params: { path: { branch_id: branch.uuid } }, body: { is_active } })),
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: ["branches"] });
      if (saved.is_active) notify(t("branch_activated"));
      else notify(t("branch_deactivated"), { label: t("undo"), run: () => change.mutate(true) });
    },
    onError: (error) => notify(text(error)),
  });
  return <Button onPress={() => change.mutate(!branch.is_active)} isDisabled={change.isPending} className="rounded-sm text-accent underline underline-offset-4">{t(branch.is_active ? "branch_deactivate" : "branch_activate")}</Button>;
}

function BranchForm({ branch, onDone }: { branch: Branch | null; onDone: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [name, setName] = useState(branch?.name ?? "");
  const [registration, setRegistration] = useState(branch?.additional_seller_id ?? { type_id: "CRN", value: "" });
  const [address, setAddress] = useState(() => (branch ? addressOf(branch) : emptyAddress));
  const save = useMutation({
    mutationFn: () => {
      const body = { name, additional_seller_id: registration, ...address };
      if (branch) return data(app.PATCH("/api/branches/{branch_id}/", { params: { path: { branch_id: branch.uuid } }, body }));
      return data(app.POST("/api/branches/", { body }));
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["branches"] });
      notify(t(branch ? "saved" : "branch_created"));
      onDone();
    },
  });
  const problems = useProblems(save.error, [...registrationPaths, ...addressPaths]);
  useFocusProblem(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Field label={t("branch_name")} value={name} onChange={setName} problem={problems.of("name")} isRequired autoFocus />
      <Registration value={registration} onChange={setRegistration} problem={problems.of} />
      <AddressFields value={address} onChange={setAddress} problem={problems.of} />
      {branch && !branch.is_active && <p className="text-xs text-muted">{t("branch_inactive_help")}</p>}
      <FormError>{problems.rest}</FormError>
      <Buttons>
        <Action onPress={onDone}>{t("cancel")}</Action>
        <Action type="submit" look="main" isDisabled={save.isPending}>{t(branch ? "save" : "branch_add")}</Action>
      </Buttons>
    </Form>
  );
}
