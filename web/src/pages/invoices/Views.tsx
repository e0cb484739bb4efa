import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, memo, useState } from "react";
import { app } from "../../data/client";
import { viewsQuery } from "../../data/invoices";
import { Action } from "../../parts/Action";
import { Field } from "../../parts/Field";
import { MenuButton } from "../../parts/MenuButton";
import { notify } from "../../parts/notify";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useFailureText, useProblems } from "../../parts/states";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

type View = NonNullable<Awaited<ReturnType<NonNullable<typeof viewsQuery.queryFn>>>>[number];

const own: { word: Word; query: string }[] = [
  { word: "all", query: "" },
  { word: "filter_rejected", query: "invoice_status=NOT_CLEARED%2CNOT_REPORTED" },
  { word: "filter_waiting", query: "invoice_status=Unanswered%2CNo+response" },
  { word: "filter_unpaid", query: "payment_status=Pending" },
];

/** The views that everyone has, and those that the person saved. A view is the query of the filters that it shows. */
export const Views = memo(function Views({ now, show }: { now: string; show: (query: string) => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const text = useFailureText();
  const views = useQuery(viewsQuery).data ?? [];
  const [form, setForm] = useState<{ view: View | null } | null>(null);
  const chosen = views.find((view) => view.query === now);
  const known = own.some((view) => view.query === now) || chosen;
  const refresh = () => queries.invalidateQueries({ queryKey: ["views"] });
  const remove = useMutation({
    mutationFn: (view: View) => app.DELETE("/api/views/{view_id}/", { params: { path: { view_id: view.uuid } } }),
    onSuccess: (_, view) => {
      const undo = () => void app.POST("/api/views/", { body: { list: "invoices", name: view.name, query: view.query } }).then(refresh);
      notify(t("list_view_deleted", { name: view.name }), { label: t("undo"), run: undo });
      return refresh();
    },
  });
  const chip = (key: string, label: string, query: string) => (
    <button key={key} type="button" onClick={() => show(query)} aria-pressed={query === now} className={`min-h-8 max-w-60 truncate rounded-full border px-4 ${query === now ? "border-accent bg-tint font-bold text-accent" : "border-line bg-surface text-muted hover:bg-sunken"}`}>
      {label}
    </button>
  );
  return (
    <div role="group" aria-label={t("list_views")} className="flex flex-wrap items-center gap-2">
      {own.map(({ word, query }) => chip(word, t(word), query))}
      {views.map((view) => chip(view.uuid, view.name, view.query))}
      {chosen && (
        <MenuButton
          label={t("list_view_options", { name: chosen.name })}
          entries={[
            { id: "rename", label: t("list_view_rename"), run: () => setForm({ view: chosen }) },
            { id: "delete", label: t("list_view_delete"), run: () => remove.mutate(chosen) },
          ]}
        />
      )}
      {!known && <button type="button" onClick={() => setForm({ view: null })} className="min-h-8 rounded-full border border-dashed border-line px-4 text-accent hover:bg-sunken">{t("list_view_save")}</button>}
      <FormError>{remove.error ? text(remove.error) : ""}</FormError>
      <Sheet title={t(form?.view ? "list_view_rename" : "list_view_save")} isOpen={form !== null} onClose={() => setForm(null)}>
        {form && <Name view={form.view} query={now} onDone={() => setForm(null)} />}
      </Sheet>
    </div>
  );
});

function Name({ view, query, onDone }: { view: View | null; query: string; onDone: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [name, setName] = useState(view?.name ?? "");
  const save = useMutation({
    mutationFn: async () => {
      if (view) await app.PATCH("/api/views/{view_id}/", { params: { path: { view_id: view.uuid } }, body: { name } });
      else await app.POST("/api/views/", { body: { list: "invoices", name, query } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["views"] });
      notify(t("list_view_saved"));
      onDone();
    },
  });
  const problems = useProblems(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label={t("list_view_name")} value={name} onChange={setName} problem={problems.of("name")} help={t("list_view_help")} autoFocus />
      <FormError>{problems.rest}</FormError>
      <Buttons>
        <Action onPress={onDone}>{t("cancel")}</Action>
        <Action type="submit" look="main" isDisabled={save.isPending}>{t("save")}</Action>
      </Buttons>
    </form>
  );
}
