import { Button, Link } from "react-aria-components";
import type { Fate } from "../data/imports";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { grouped } from "./Amount";
import { useFieldName, usePlain, useProblemText } from "./plain";
import { Table } from "./Table";

const fates: [Fate, Word, string][] = [
  ["create", "import_create", "text-good"],
  ["change", "import_change", "text-good"],
  ["unchanged", "import_unchanged", "text-muted"],
  ["differs", "import_differs", "text-wait"],
  ["repeated", "import_repeated", "text-wait"],
  ["refused", "import_refused", "text-bad"],
];

/** The numbers of rows by fate, each of which selects its rows. */
export function FateFilter({ counts, total, chosen, onChoose }: { counts: Partial<Record<Fate, number>>; total: number; chosen: Fate | ""; onChoose: (fate: Fate | "") => void }) {
  const { t } = useWords();
  const pill = (fate: Fate | "", text: string, count: number, colour: string) => (
    <Button key={fate} onPress={() => onChoose(fate)} aria-pressed={fate === chosen} className={`min-h-8 rounded-full border px-4 ${fate === chosen ? "border-accent bg-tint font-bold" : "border-line bg-surface hover:bg-sunken"} ${colour}`}>
      {text} <bdi className="number ms-1">{grouped(String(count))}</bdi>
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label={t("import_fates")}>
      {pill("", t("import_all_rows"), total, "")}
      {fates.flatMap(([fate, word, colour]) => (counts[fate] ? [pill(fate, t(word), counts[fate], colour)] : []))}
    </div>
  );
}

interface Row {
  row: number;
  name: string;
  fate: Fate;
  message: string;
  message_ar: string;
  /** The page of the record. */
  href?: string | undefined;
  problems: { field: string; code: string; message: string; message_ar: string }[];
}

/** What happens to each row of a file. */
export function FateRows({ rows, nameTitle }: { rows: Row[]; nameTitle: string }) {
  const { t, pick, language } = useWords();
  const plain = usePlain();
  const text = useProblemText();
  const nameOf = useFieldName();
  // The Arabic message begins with the name of the field, and the English one does not.
  const textOf = (problem: Row["problems"][number]) => (language === "ar" ? plain(problem.message_ar) : [nameOf(problem.field), text({ ...problem, fix: "", fix_ar: "" })].filter(Boolean).join(": "));
  const colours = Object.fromEntries(fates.map(([fate, , colour]) => [fate, colour]));
  return (
    <Table
      label={t("import_rows")}
      rows={rows}
      keyOf={(row) => String(row.row)}
      columns={[
        { title: nameTitle, cell: (row) => (row.href ? <Link href={row.href} className="rounded-sm font-bold"><bdi>{row.name}</bdi></Link> : <bdi className="font-bold">{row.name}</bdi>) },
        { title: t("import_row"), cell: (row) => <span className="text-muted">{t("import_row_number", { number: row.row })}</span> },
        {
          title: t("import_fate"),
          cell: (row) => (
            <div className={`whitespace-normal ${colours[row.fate]}`}>
              {row.problems.length === 0 && plain(pick(row.message_ar, row.message))}
              {row.problems.map((problem, i) => <p key={i}>{textOf(problem)}</p>)}
            </div>
          ),
        },
      ]}
    />
  );
}
