import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { app } from "../../data/client";
import { type Member, memberKeysQuery } from "../../data/settings";
import { Confirm } from "../../parts/Confirm";
import { notify } from "../../parts/notify";
import { useWords } from "../../words";

type Fate = "revoke" | "keep";

/** Removes a member, and asks what becomes of the keys that they created. */
export function RemoveSheet({ of, onClose }: { of: Member; onClose: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [fate, setFate] = useState<Fate>("revoke");
  const keys = useQuery({ ...memberKeysQuery(of.uuid), enabled: of.active_keys > 0 });
  const name = of.name || of.email;
  return (
    <Confirm
      title={t("team_remove_named", { name })}
      action={t("team_remove")}
      onClose={onClose}
      onConfirm={async () => {
        await app.DELETE("/api/members/{person_id}/", { params: { path: { person_id: of.uuid }, query: { ...(of.active_keys > 0 && { keys: fate }) } } });
        await queries.invalidateQueries({ queryKey: ["members"] });
        void queries.invalidateQueries({ queryKey: ["keys"] });
        notify(t("team_removed", { name }));
      }}
    >
      <p>{t("team_remove_text", { name })}</p>
      {of.active_keys > 0 && (
        <>
          <p>{t("team_remove_keys", { name })}</p>
          <ul className="list-inside list-disc text-muted">{keys.data?.keys.map((key) => <li key={key.uuid}><bdi>{key.title}</bdi></li>)}</ul>
          <RadioGroup aria-label={t("team_remove_keys", { name })} value={fate} onChange={(id) => setFate(id as Fate)} className="grid gap-2">
            <Way id="revoke" title={t("team_keys_revoke")} text={t("team_keys_revoke_text")} />
            <Way id="keep" title={t("team_keys_keep")} text={t("team_keys_keep_text")} />
          </RadioGroup>
        </>
      )}
    </Confirm>
  );
}

function Way({ id, title, text }: { id: Fate; title: string; text: string }) {
  return (
    <Radio value={id} className="group flex cursor-default gap-3 rounded-md border border-line p-3 data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[selected]:border-accent data-[selected]:bg-tint">
      <span className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-muted group-data-[selected]:border-accent">
        <span className="hidden size-2 rounded-full bg-accent group-data-[selected]:block" />
      </span>
      <span><span className="block font-bold">{title}</span><span className="text-muted">{text}</span></span>
    </Radio>
  );
}
