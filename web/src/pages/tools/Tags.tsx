import { Amount } from "../../parts/Amount";
import { isDecimal } from "../../parts/decimal";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";
import { type Field, isKnown } from "./tlv";

const names: Record<number, [Word, Word]> = {
  1: ["tool_qr_1", "tool_qr_1_text"],
  2: ["tool_qr_2", "tool_qr_2_text"],
  3: ["tool_qr_3", "tool_qr_3_text"],
  4: ["tool_qr_4", "tool_qr_4_text"],
  5: ["tool_qr_5", "tool_qr_5_text"],
  6: ["tool_qr_6", "tool_qr_6_text"],
  7: ["tool_qr_7", "tool_qr_7_text"],
  8: ["tool_qr_8", "tool_qr_8_text"],
  9: ["tool_qr_9", "tool_qr_9_text"],
};

const vatNumber = /^3\d{13}3$/;

/** The tags of a code, each with what it means. */
export function Tags({ fields }: { fields: Field[] }) {
  const { t } = useWords();
  return (
    <dl className="divide-y divide-line">
      {fields.map(({ tag, value }) => {
        const [name, text] = names[tag] ?? [];
        const money = (tag === 4 || tag === 5) && isDecimal(value);
        return (
          <div key={tag} data-tag={tag} className="grid gap-1 px-4 py-3 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-4">
            <dt>
              <span className="font-bold">{name ? t(name) : t("tool_qr_unknown", { tag })}</span>
              <span className="block text-xs text-muted">{text ? t(text) : t("tool_qr_unknown_text")}</span>
            </dt>
            <dd className={`min-w-0 break-words ${tag > 5 || !isKnown(tag) ? "font-mono text-xs break-all" : ""}`}>
              {money ? <Amount of={value} currency="SAR" /> : <bdi>{value}</bdi>}
              {tag === 2 && !vatNumber.test(value) && <span className="block text-xs text-bad">{t("tool_qr_2_wrong")}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
