import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import { Link } from "react-aria-components";
import { attentionQuery, invoicesQuery, planQuery } from "../../data/queries";
import { grouped } from "../../parts/Amount";
import { InvoiceTable } from "../../parts/InvoiceTable";
import { Panel } from "../../parts/Panel";
import { Empty, ErrorState, Loading } from "../../parts/states";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";
import { Entry } from "../attention/Entry";

const verdicts: Record<"ok" | "waiting" | "action", { title: Word; text?: Word; icon: LucideIcon; colours: string }> = {
  ok: { title: "verdict_ok", text: "verdict_ok_text", icon: CircleCheck, colours: "bg-good-tint text-good" },
  waiting: { title: "verdict_waiting", text: "verdict_waiting_text", icon: Clock, colours: "bg-wait-tint text-wait" },
  action: { title: "verdict_action", icon: TriangleAlert, colours: "bg-wait-tint text-wait" },
};

export default function HomePage() {
  return (
    <div className="grid gap-6">
      <Verdict />
      <Usage />
      <Latest />
    </div>
  );
}

/** Answers first whether the authority has accepted everything. */
function Verdict() {
  const { t } = useWords();
  const attention = useQuery(attentionQuery);
  if (attention.isPending) return <Loading />;
  if (attention.error) return <ErrorState error={attention.error} retry={() => void attention.refetch()} />;
  const { verdict, entries } = attention.data;
  const { title, text, icon: Icon, colours } = verdicts[verdict];
  return (
    <>
      <div className="flex items-center gap-4">
        <span className={`grid size-12 shrink-0 place-items-center rounded-full ${colours}`}><Icon size={24} aria-hidden /></span>
        <div>
          <h1 className="text-xl font-bold">{t(title)}</h1>
          {text && <p className="text-muted">{t(text)}</p>}
        </div>
      </div>
      {entries.length > 0 && (
        <Panel title={t("nav_attention")} more={<Link href="/attention" className="rounded-sm text-accent">{t("see_all")}</Link>}>
          <ul className="divide-y divide-line">{entries.slice(0, 5).map((entry, i) => <Entry key={i} entry={entry} />)}</ul>
        </Panel>
      )}
    </>
  );
}

function Usage() {
  const { t, pick } = useWords();
  const plan = useQuery(planQuery);
  if (!plan.data) return null;
  const { usage } = plan.data;
  const share = usage.invoices_limit > 0 ? Math.min(1, usage.invoices_used / usage.invoices_limit) : 0;
  return (
    <Panel title={t("used_this_month")} more={<Link href="/plan" className="rounded-sm text-accent">{pick(plan.data.plan.name_ar, plan.data.plan.name)}</Link>}>
      <div className="grid gap-2 p-4">
        <p><bdi className="text-2xl font-bold">{grouped(String(usage.invoices_used))}</bdi> <span className="text-muted">{usage.invoices_limit > 0 ? t("of_limit", { limit: grouped(String(usage.invoices_limit)) }) : t("unlimited")}</span></p>
        {usage.invoices_limit > 0 && <progress value={share} max={1} aria-label={t("used_this_month")} className="h-2 w-full accent-accent" />}
      </div>
    </Panel>
  );
}

function Latest() {
  const { t } = useWords();
  const latest = useQuery(invoicesQuery({ page_size: 5 }));
  return (
    <Panel title={t("latest")} more={<Link href="/invoices" className="rounded-sm text-accent">{t("see_all")}</Link>}>
      {latest.isPending ? (
        <Loading />
      ) : latest.error ? (
        <ErrorState error={latest.error} retry={() => void latest.refetch()} />
      ) : latest.data.invoices.length === 0 ? (
        <Empty title={t("no_invoices")}>{t("no_invoices_text")}</Empty>
      ) : (
        <InvoiceTable rows={latest.data.invoices} />
      )}
    </Panel>
  );
}
