import { useQuery } from "@tanstack/react-query";
import { Copy } from "../../parts/Copy";
import { Facts } from "../../parts/Facts";
import { letterQuery } from "../../data/settings";
import { Mark } from "../../parts/Mark";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { ErrorState, LoadingPage } from "../../parts/states";
import { useWords } from "../../words";
import { aboutWord, states } from "./state";

export default function LetterPage({ id }: { id: string }) {
  const { t, pick } = useWords();
  const letter = useQuery(letterQuery(id));
  if (letter.isPending) return <LoadingPage boxes={["h-36", "h-60"]} />;
  if (letter.error) return <ErrorState page error={letter.error} retry={() => void letter.refetch()} />;
  const l = letter.data;
  const word = aboutWord(l.about);
  return (
    <Page back={{ href: "/letters", title: t("nav_letters") }} title={word ? t(word) : l.about}>
      <section className="rounded-xl border border-line bg-surface p-4">
        <Facts
          of={[
            [t("letter_to"), <><bdi>{l.to}</bdi></>],
            [t("letter_state"), <><Mark look={states[l.state].look}>{t(states[l.state].word)}</Mark></>],
            [t("letter_created"), <><Moment at={l.created_at} /></>],
            [t("letter_sent_at"), l.sent_at && <><Moment at={l.sent_at} /></>],
            [t("letter_attempts"), <><bdi>{l.attempts}</bdi></>],
            [t("letter_problem"), l.problem && <><bdi>{l.problem}</bdi></>],
          ]}
        />
      </section>
      <Panel title={t("letter_text")}>
        <div className="grid gap-3 p-4">
          {l.withheld ? (
            <p>{pick(l.withheld_ar, l.withheld)}</p>
          ) : l.text === null ? (
            <p>{t("letter_gone")}</p>
          ) : (
            <>
              <p className="text-muted">{t("letter_other_means")} {t("letter_read_note")}</p>
              <p className="font-bold" dir="auto">{l.subject}</p>
              <pre dir="auto" className="font-sans break-words whitespace-pre-wrap">{l.text}</pre>
              <div><Copy text={l.text} /></div>
            </>
          )}
        </div>
      </Panel>
    </Page>
  );
}
