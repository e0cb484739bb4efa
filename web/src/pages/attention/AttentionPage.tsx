import { useQuery } from "@tanstack/react-query";
import { attentionQuery } from "../../data/queries";
import { Entry } from "../../parts/Entry";
import { Page } from "../../parts/Page";
import { Empty, ErrorState, LoadingRows } from "../../parts/states";
import { useWords } from "../../words";

export default function AttentionPage() {
  const { t } = useWords();
  const attention = useQuery(attentionQuery);
  return (
    <Page title={t("nav_attention")}>
      {attention.isPending ? (
        <section className="overflow-hidden rounded-xl border border-line bg-surface"><LoadingRows rows={4} tall /></section>
      ) : attention.error ? (
        <ErrorState error={attention.error} retry={() => void attention.refetch()} />
      ) : (
        <section className="rounded-xl border border-line bg-surface">
          {attention.data.entries.length === 0 ? (
            <Empty title={t("nothing_waits")}>{t("nothing_waits_text")}</Empty>
          ) : (
            <ul className="divide-y divide-line">{attention.data.entries.map((entry, i) => <Entry key={i} entry={entry} />)}</ul>
          )}
          {attention.data.more.length > 0 && <p className="border-t border-line px-4 py-3 text-muted">{t("more_not_shown")}</p>}
        </section>
      )}
    </Page>
  );
}
