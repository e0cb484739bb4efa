import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Megaphone } from "lucide-react";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { app } from "../data/client";
import { data, noticesQuery } from "../data/queries";
import { notify } from "../parts/notify";
import { useWords } from "../words";

const load = () => import("./NoticeList");
const NoticeList = lazy(load);

/** What people should know now. Closing the list marks it as read. */
export function Notices() {
  const { t } = useWords();
  const queries = useQueryClient();
  const notices = useQuery(noticesQuery);
  const list = notices.data?.notices ?? [];
  const unread = notices.data?.unread ?? 0;
  const read = useMutation({
    mutationFn: () => data(app.POST("/api/notices/read/", { body: { ids: list.filter((one) => !one.read).map((one) => one.id) } })),
    onSuccess: (next) => queries.setQueryData(noticesQuery.queryKey, next),
  });
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  const close = () => {
    setOpen(false);
    if (unread > 0) read.mutate();
  };
  return (
    <>
      <Button ref={button} aria-label={t("notices_open", { count: unread })} aria-haspopup="dialog" aria-expanded={open} {...(open && { "aria-controls": id })} onPress={() => void load().then(() => setOpen(true), () => notify(t("offline")))} className="relative grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken">
        <Megaphone size={18} aria-hidden className="rtl:-scale-x-100" />
        {unread > 0 && <bdi aria-hidden className="absolute -inset-e-1 -top-1 rounded-full bg-bad px-1.5 text-xs font-bold text-surface">{unread}</bdi>}
      </Button>
      <Suspense>{open && <NoticeList id={id} of={button} list={list} onClose={close} />}</Suspense>
    </>
  );
}
