import type { Style } from '../card/text/color.ts'

/** What parts of code look like. Red and green are left to what is removed and added, and nothing is dimmed: all of it runs. */
const PARTS: readonly { readonly style: Style; readonly scope: readonly string[] }[] = [
  { style: 'blue', scope: ['comment', 'punctuation.definition.comment'] },
  { style: 'yellow', scope: ['string', 'constant.character.escape', 'markup.inline.raw'] },
  { style: 'cyan', scope: ['constant.numeric', 'constant.language', 'variable.language'] },
  { style: 'magenta', scope: ['keyword.control', 'keyword.other', 'storage', 'entity.name.tag', 'markup.heading'] },
]

/** Each part has a colour nobody sees: it only says which style is meant. */
const color = (at: number): string => `#${String(at + 1).padStart(6, '0')}`

/** The style behind each colour of the theme. */
export const COLORS: ReadonlyMap<string, Style> = new Map(PARTS.map(({ style }, at) => [color(at), style]))

/** A theme that names styles, not colours: the terminal's own palette decides how they look. */
export const THEME = {
  name: 'countersign',
  type: 'dark' as const,
  fg: '#ffffff',
  bg: '#000000',
  settings: [
    { settings: { foreground: '#ffffff' } },
    ...PARTS.map(({ scope }, at) => ({ scope: [...scope], settings: { foreground: color(at) } })),
  ],
}
