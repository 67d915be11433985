declare const safe: unique symbol

/** Text that may meet a terminal, a page or a log. Made only by `display/escape.ts`. */
export type SafeText = string & { readonly [safe]: true }
