interface Place {
  search: string; // of the address, with its filters
  top: number;
  row: string;
}

const key = "khatm.invoices.place";

/** Where the list of invoices was left, so that the way back leads there. */
export const lastList = {
  get(): Place | null {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? "null") as Place | null;
    } catch {
      return null;
    }
  },
  set: (place: Place) => sessionStorage.setItem(key, JSON.stringify(place)),
};
