import { useQuery } from "@tanstack/react-query";
import { planQuery } from "../../data/queries";
import { grouped } from "../../parts/Amount";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { ErrorState, LoadingPage } from "../../parts/states";
import { useWords } from "../../words";

export default function PlanPage() {
  const { t, n, pick } = useWords();
  const plan = useQuery(planQuery);
  if (plan.isPending) return <LoadingPage back={false} boxes={["h-[8.5rem]", "h-60"]} />;
  if (plan.error) return <ErrorState page error={plan.error} retry={() => void plan.refetch()} />;
  const { plan: current, plans, usage } = plan.data;
  return (
    <Page title={t("plan_title")}>
      <Panel title={t("plan_current")}>
        <div className="grid gap-1 p-4">
          <p className="font-bold">{pick(current.name_ar, current.name)}</p>
          <p className="text-muted">{t("used_this_month")}: <bdi>{grouped(String(usage.invoices_used))}</bdi> {usage.invoices_limit > 0 ? t("of_limit", { limit: grouped(String(usage.invoices_limit)) }) : t("unlimited")}</p>
          {usage.invoices_limit > 0 && <progress value={Math.min(1, usage.invoices_used / usage.invoices_limit)} max={1} aria-label={t("used_this_month")} className="mt-2 block w-full max-w-sm" />}
        </div>
      </Panel>
      <Panel title={t("plan_other")}>
        <ul className="divide-y divide-line">
          {plans.map((one) => (
            <li key={one.slug} className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[8rem_14rem_1fr]">
              <span className={one.slug === current.slug ? "font-bold text-accent" : "font-bold"}>{pick(one.name_ar, one.name)}</span>
              <span className="text-muted">{one.invoices_limit > 0 ? n("plan_invoices", one.invoices_limit) : t("unlimited")}</span>
              <span className="text-muted">{t(one.api_access ? "plan_api" : "plan_no_api")}</span>
            </li>
          ))}
        </ul>
      </Panel>
      <p className="text-muted">{t("plan_change")}</p>
    </Page>
  );
}
