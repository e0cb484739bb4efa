import { TriangleAlert } from "lucide-react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import type { Environment, SetUp } from "../../data/setup";
import { useWords } from "../../words";

/** The choice of the environment, with where each leads. */
export function Environments({ setUp, value, onChange }: { setUp: SetUp; value: Environment | null; onChange: (environment: Environment) => void }) {
  const { t, pick } = useWords();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <RadioGroup value={value} onChange={(code) => onChange(code as Environment)} className="grid gap-3">
        <Label className="text-sm text-muted">{t("setup_environment")}</Label>
        {setUp.environments.map((one) => (
          <Radio key={one.code} value={one.code} className="group grid cursor-default grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-lg border border-line p-4 outline-none data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[selected]:border-accent data-[selected]:bg-tint">
            <span aria-hidden className="mt-0.5 grid size-4 place-items-center rounded-full border border-muted group-data-[selected]:border-accent"><span className="size-2 rounded-full group-data-[selected]:bg-accent" /></span>
            <span className="font-bold">{t(`setup_environment_${one.code}`)}</span>
            <span className="col-start-2">{pick(one.description_ar, one.description)}</span>
            <span className="col-start-2 text-muted">{t(`setup_leads_${one.code}`)}</span>
          </Radio>
        ))}
      </RadioGroup>
      <p className="flex gap-2 rounded-lg bg-wait-tint p-4 text-wait"><TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0" />{pick(setUp.environment_warning_ar, setUp.environment_warning)}</p>
    </div>
  );
}
