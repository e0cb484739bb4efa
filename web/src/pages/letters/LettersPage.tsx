import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { type Letter, lettersQuery } from "../../data/settings";
import { Count, List, useList } from "../../parts/List";
import { Mark } from "../../parts/Mark";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import { aboutWord, states } from "./state";

export default function LettersPage() {
  const { t } = useWords();
  const { params, cursor, set } = useList();
  const chosen = params.get("state");
  const state = chosen && chosen in states ? (chosen as Letter["state"]) : null;
  const letters = useQuery(lettersQuery({ ...(cursor && { cursor }), ...(state && { state }) }));
  const about = (of: Letter) => {
    const word = aboutWord(of.about);
    return word ? t(word) : of.about;
  };
  return (
    <Page title={t("letter_title")} note={<Count of={letters.data} word="n_letters" />}>
      <div data-filters className="flex flex-wrap gap-2">
        {[null, ...(Object.keys(states) as Letter["state"][])].map((id) => (
          <Button key={id ?? ""} aria-pressed={state === id} onPress={() => set({ state: id ?? "" })} className={`min-h-8 rounded-full border px-4 ${state === id ? "border-accent bg-tint font-bold text-accent" : "border-line bg-surface"}`}>
            {t(id ? states[id].word : "letter_all")}
          </Button>
        ))}
      </div>
      <List query={letters} rows={(d) => d.letters} filtered={state !== null} cursor={cursor} onCursor={(next) => set({ cursor: next })} empty={{ title: t("letter_none"), text: t("letter_none_text") }}>
        {(d) => (
          <Table
            label={t("letter_title")}
            rows={d.letters}
            keyOf={(l) => l.uuid}
            href={(l) => `/letters/${l.uuid}`}
            columns={[
              { title: t("letter_to"), cell: (l) => <bdi>{l.to}</bdi> },
              { title: t("letter_about"), cell: about },
              { title: t("letter_state"), cell: (l) => <Mark look={states[l.state].look}>{t(states[l.state].word)}</Mark> },
              { title: t("letter_created"), cell: (l) => <Moment at={l.created_at} />, minor: true },
            ]}
          />
        )}
      </List>
    </Page>
  );
}
