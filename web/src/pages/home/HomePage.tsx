import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-aria-components";
import { allDevices, devicesQuery, isActive } from "../../data/devices";
import { oldestQuery, type Summary, summaryQuery, type Sums } from "../../data/figures";
import { type Attention, type AttentionEntry, attentionQuery, invoicesQuery, planQuery } from "../../data/queries";
import { ActionLink } from "../../parts/Action";
import { Amount, grouped } from "../../parts/Amount";
import { monthOf, today } from "../../parts/days";
import { Entry } from "../../parts/Entry";
import { FirstStep } from "../../parts/FirstStep";
import { InvoiceTable } from "../../parts/InvoiceTable";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { useSession } from "../../parts/session";
import { SetUpBanner } from "../../parts/SetUpBanner";
import { ErrorState, LoadingRows } from "../../parts/states";
import { locales, useWords } from "../../words";
import type { Word } from "../../words/ar";
import { Plot } from "./Plot";

const verdicts: Record<Attention["verdict"], { title: Word; text: Word; icon: LucideIcon; colours: string }> = {
  ok: { title: "verdict_ok", text: "verdict_ok_text", icon: CircleCheck, colours: "bg-good-tint text-good" },
  waiting: { title: "verdict_waiting", text: "verdict_waiting_text", icon: Clock, colours: "bg-wait-tint text-wait" },
  action: { title: "verdict_action", text: "verdict_action_text", icon: TriangleAlert, colours: "bg-wait-tint text-wait" },
};

const latestQuery = invoicesQuery({ page_size: 5 });

export default function HomePage() {
  const { t } = useWords();
  const attention = useQuery(attentionQuery);
  const day = today();
  const [first, last] = monthOf(day);
  const figures = useQuery(summaryQuery(first, last));
  const entries = attention.data?.entries ?? [];
  const devices = useQuery(devicesQuery(allDevices));
  const latest = useQuery(latestQuery);
  const oldest = useQuery(oldestQuery);
  const plan = useQuery(planQuery);
  // Nothing is shown above or below what can still change its height.
  // A call that failed is pending again while it is repeated, but stays fetched.
  if (!attention.isFetched || !devices.isFetched || !latest.isFetched) return <Waiting />;
  const whole = figures.isFetched && oldest.isFetched && plan.isFetched;
  const idle = devices.data && !devices.data.devices.some(isActive);
  if (latest.data?.invoices.length === 0) return <Page title={t("nav_home")}>{idle ? <SetUpBanner /> : <FirstInvoice />}</Page>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {idle && <SetUpBanner />}
      {attention.error ? <ErrorState error={attention.error} retry={() => void attention.refetch()} /> : attention.data ? <Verdict of={attention.data} /> : <VerdictWaiting />}
      <Cards>
        <Today of={figures.data && sumsOf(figures.data, day)} />
        <Vat of={figures.data} first={first} />
        <Oldest />
        <Usage />
      </Cards>
      {figures.error && !attention.error && <ErrorState error={figures.error} retry={() => void figures.refetch()} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        {!attention.error && (
          <Panel title={t("nav_attention")} more={<Link href="/attention" className="rounded-sm text-accent">{t("see_all")}</Link>}>
            {!whole ? <LoadingRows rows={1} tall /> : entries.length === 0 ? <p className="px-4 py-3 text-muted">{t("nothing_waits_text")}</p> : <ul className="divide-y divide-line">{entries.slice(0, 5).map((entry, i) => <Entry key={i} entry={entry} />)}</ul>}
          </Panel>
        )}
        {whole && <Certificates />}
      </div>
      {whole && !figures.error && <Month of={figures.data} first={first} last={last} today={day} />}
      {whole && <Latest />}
    </div>
  );
}

/** What a new organisation sees: figures without documents would say nothing. */
function FirstInvoice() {
  const { t } = useWords();
  const { can } = useSession();
  return <FirstStep title={t("home_first")} action={can("CreateInvoice") && <ActionLink look="main" href="/drafts/new">{t("list_new")}</ActionLink>}>{t(can("CreateInvoice") ? "home_first_text" : "home_first_view")}</FirstStep>;
}

/** Answers first whether the authority has accepted everything. */
function Verdict({ of }: { of: Attention }) {
  const { t, n } = useWords();
  const urgent = of.entries.filter((entry) => entry.level !== "info");
  const count = (kind: AttentionEntry["kind"]) => urgent.filter((entry) => entry.kind === kind).length;
  const rejected = count("rejected");
  const unanswered = count("unanswered");
  const others = urgent.length - rejected;
  let { title, text, icon: Icon, colours }: { title: string; text: string; icon: LucideIcon; colours: string } = { ...verdicts[of.verdict], title: t(verdicts[of.verdict].title), text: t(verdicts[of.verdict].text) };
  if (rejected > 0) {
    title = of.more.includes("rejected") ? t("verdict_rejected_more", { count: rejected }) : n("verdict_rejected", rejected);
    text = others > 0 && !of.more.some((kind) => kind !== "rejected") ? n("verdict_others", others) : t("verdict_rejected_text");
    [Icon, colours] = [CircleX, "bg-bad-tint text-bad"];
  } else if (unanswered > 0) {
    title = of.more.includes("unanswered") ? t("verdict_unanswered_more", { count: unanswered }) : n("verdict_unanswered", unanswered);
  }
  return (
    <div className="flex items-center gap-4">
      <span className={`grid size-12 shrink-0 place-items-center rounded-full ${colours}`}><Icon size={24} aria-hidden /></span>
      <div>
        <h1 className="text-xl font-bold">{title}</h1>
        <p className="text-muted">{text}</p>
      </div>
    </div>
  );
}

/** Holds the place of the verdict. */
function VerdictWaiting() {
  return <div className="flex items-center gap-4"><span className="size-12 shrink-0 rounded-full bg-sunken" /><span className="h-5 w-80 max-w-full rounded-full bg-sunken" /></div>;
}

/** Holds the place of the verdict and of the figures. */
function Waiting() {
  const { t } = useWords();
  return (
    <div role="status" aria-label={t("loading")} className="late grid grid-cols-[minmax(0,1fr)] gap-6">
      <VerdictWaiting />
      <Cards><Card wide /><Card wide /><Card /><Card /></Cards>
    </div>
  );
}

function Cards({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">{children}</div>;
}

/** A figure in a card of the height of its usual content, so that nothing moves when it arrives. */
function Card({ title, wide, children }: { title?: string; wide?: boolean; children?: ReactNode }) {
  return (
    <section className={`min-h-37 min-w-0 rounded-xl border border-line bg-surface p-4 ${wide ? "max-sm:col-span-2" : "max-[359px]:col-span-2"}`}>
      {title && <h2 className="pb-1 text-xs text-muted">{title}</h2>}
      {children}
    </section>
  );
}

const number = (of: number) => grouped(String(of));

/** Returns the sums of a day, which may have no documents. */
function sumsOf(summary: Summary, day: string): Sums {
  return summary.days.find((one) => one.date === day) ?? { issued: 0, accepted: 0, waiting: 0, rejected: 0, vat_sar: "0.00", total_sar: "0.00" };
}

const fates = [
  { of: "accepted", word: "home_accepted", fill: "fill-good" },
  { of: "waiting", word: "home_waiting", fill: "fill-wait" },
  { of: "rejected", word: "home_rejected", fill: "fill-bad" },
] as const;

function Today({ of }: { of: Sums | undefined }) {
  const { t, language } = useWords();
  let start = 0;
  return (
    <Card title={t("home_today")} wide>
      {of && (
        <>
          <p className="text-2xl font-bold" data-figure="today"><bdi dir="ltr">{number(of.issued)}</bdi></p>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden className="my-2 block h-2 w-full">
            <rect width={100} height={4} className="fill-sunken" />
            {of.issued > 0 &&
              fates.map(({ of: fate, fill }) => {
                const part = (100 * of[fate]) / of.issued;
                const x = language === "ar" ? 100 - start - part : start;
                start += part;
                return <rect key={fate} x={x} width={part} height={4} className={fill} />;
              })}
          </svg>
          <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
            {fates.map(({ of: fate, word, fill }) => (
              <li key={fate} className="flex items-center gap-1.5"><svg viewBox="0 0 8 8" aria-hidden className="size-2"><rect width={8} height={8} rx={2} className={fill} /></svg>{t(word)} <bdi dir="ltr" data-figure={`today-${fate}`}>{number(of[fate])}</bdi></li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function useMonthName(): (first: string) => string {
  const { language } = useWords();
  return (first) => new Intl.DateTimeFormat(locales[language], { month: "long", timeZone: "UTC" }).format(new Date(`${first}T00:00:00Z`));
}

function Vat({ of, first }: { of: Summary | undefined; first: string }) {
  const { t } = useWords();
  const month = useMonthName();
  return (
    <Card title={t("home_vat", { month: month(first) })} wide>
      {of && (
        <>
          <p className="text-2xl font-bold" data-figure="vat"><Amount of={of.totals.vat_sar} currency="SAR" /></p>
          <p className="pt-1 text-xs text-muted">{t("home_vat_note")}</p>
        </>
      )}
    </Card>
  );
}

/** The document that must be reported first, and how much of its 24 hours has passed. */
function Oldest() {
  const { t } = useWords();
  const oldest = useQuery(oldestQuery);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (!oldest.data) return <Card title={t("home_oldest")}>{oldest.isSuccess && <p className="flex items-center gap-2 pt-2"><CircleCheck size={18} aria-hidden className="shrink-0 text-good" />{t("home_oldest_none")}</p>}</Card>;
  const minutes = Math.max(0, Math.floor((now - Date.parse(oldest.data.created_at)) / 60_000));
  const hours = Math.floor(minutes / 60);
  const late = hours >= 24;
  return (
    <Card title={t("home_oldest")}>
      <p className={`text-2xl font-bold ${hours >= 20 ? "text-bad" : hours >= 12 ? "text-wait" : ""}`}><bdi dir="ltr" className="number">{String(hours).padStart(2, "0")}:{String(minutes % 60).padStart(2, "0")}</bdi></p>
      <p className="text-xs text-muted">{t(late ? "home_oldest_late" : "home_oldest_of")}</p>
      <Link href={`/invoices/${oldest.data.uuid}`} className="rounded-sm text-sm text-accent"><bdi className="inline-block max-w-full">{oldest.data.ref_num}</bdi></Link>
    </Card>
  );
}

function Usage() {
  const { t, pick } = useWords();
  const plan = useQuery(planQuery);
  const usage = plan.data?.usage;
  return (
    <Card title={t("home_plan")}>
      {plan.data && usage && (
        <>
          <p className="text-2xl font-bold"><bdi>{grouped(String(usage.invoices_used))}</bdi></p>
          <p className="text-xs text-muted">{usage.invoices_limit > 0 ? t("of_limit", { limit: grouped(String(usage.invoices_limit)) }) : t("unlimited")}</p>
          {usage.invoices_limit > 0 && <progress value={Math.min(1, usage.invoices_used / usage.invoices_limit)} max={1} aria-label={t("used_this_month")} className="my-2 block w-full" />}
          <Link href="/plan" className="rounded-sm text-sm text-accent">{pick(plan.data.plan.name_ar, plan.data.plan.name)}</Link>
        </>
      )}
    </Card>
  );
}

function Month({ of, first, last, today }: { of: Summary | undefined; first: string; last: string; today: string }) {
  const { t } = useWords();
  const month = useMonthName();
  const length = Number(last.slice(8));
  const days = Array.from({ length: of ? Number(today.slice(8)) : 0 }, (_, i) => first.slice(0, 8) + String(i + 1).padStart(2, "0"));
  const sums = of ? days.map((day) => sumsOf(of, day)) : [];
  const total = (name: "issued" | (typeof fates)[number]["of"]) => (of ? number(of.totals[name]) : "");
  const series = fates.map(({ of: fate, word, fill }) => ({ label: t(word), colour: fill, values: sums.map((day) => day[fate]), texts: sums.map((day) => number(day[fate])) }));
  const vat = { label: t("csv_vat"), colour: "fill-accent", values: sums.map((day) => Number(day.vat_sar)), texts: sums.map((day) => grouped(day.vat_sar)) };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Plot
        title={t("home_month", { month: month(first) })}
        days={days}
        length={length}
        series={series}
        note={
          <span className="flex flex-wrap gap-x-4">
            <span>{t("home_issued")} <bdi dir="ltr" data-figure="month" className="font-bold text-ink">{total("issued")}</bdi></span>
            {fates.map(({ of: fate, word, fill }) => <span key={fate} className="flex items-center gap-1.5"><svg viewBox="0 0 8 8" aria-hidden className="size-2"><rect width={8} height={8} rx={2} className={fill} /></svg>{t(word)} <bdi dir="ltr" data-figure={`month-${fate}`} className="font-bold text-ink">{total(fate)}</bdi></span>)}
          </span>
        }
      />
      <Plot title={t("home_vat_days", { month: month(first) })} days={days} length={length} series={[vat]} />
    </div>
  );
}

const soon = 60;

function Certificates() {
  const { t, n } = useWords();
  const devices = useQuery(devicesQuery(allDevices));
  if (!devices.data) return null;
  const active = devices.data.devices.filter((device) => !device.is_retired && device.PSIDCertificateData);
  const ending = active.filter((device) => (device.PSIDCertificateData?.days_until_expiry ?? soon) < soon);
  return (
    <Panel title={t("home_certificates")}>
      {ending.length === 0 ? (
        <p className="px-4 py-3 text-muted">{t(active.length > 0 ? "home_certificates_ok" : "home_no_devices")}</p>
      ) : (
        <ul className="divide-y divide-line">
          {ending.map((device) => {
            const days = device.PSIDCertificateData?.days_until_expiry ?? 0;
            return (
              <li key={device.device_id} className="flex flex-wrap justify-between gap-x-4 px-4 py-3">
                <Link href={`/devices/${device.device_id}`} className="rounded-sm font-bold"><bdi>{device.common_name}</bdi></Link>
                <span className={days <= 7 ? "text-bad" : "text-wait"}>{days > 0 ? n("device_days_left", days) : t("home_certificate_ended")}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

function Latest() {
  const { t } = useWords();
  const latest = useQuery(latestQuery);
  return (
    <Panel title={t("latest")} more={<Link href="/invoices" className="rounded-sm text-accent">{t("see_all")}</Link>}>
      {latest.isPending ? (
        <LoadingRows rows={5} tall />
      ) : latest.error ? (
        <ErrorState error={latest.error} retry={() => void latest.refetch()} />
      ) : (
        <InvoiceTable rows={latest.data.invoices} />
      )}
    </Panel>
  );
}
