const unframed = /^\/(login|forgotten|password|invitation|signup|setup|tools(\/(qr|invoice))?)\/?$/;

/** Reports whether a page is in the frame of people who are signed in. */
export function isFramed(path: string): boolean {
  return !unframed.test(path);
}
