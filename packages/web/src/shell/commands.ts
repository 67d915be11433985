import { factsOf, type HeldCall, maskedBrief, maskedEffect, safeText } from '@countersign/react'
import { THEMES, type Theme } from '../preferences/theme.ts'
import type { Overlay } from './overlay.ts'
import { PAGES } from './routes.ts'

/** One line of the palette. `label` is what is searched; no line decides anything. SECURITY: A5 */
export interface Command {
  readonly value: string
  readonly label: string
  readonly hint: string
  readonly view?: HeldCall
  readonly does:
    | { readonly kind: 'go'; readonly to: string }
    | { readonly kind: 'theme'; readonly theme: Theme }
    | { readonly kind: 'notify'; readonly on: boolean }
    | { readonly kind: 'keys'; readonly on: boolean }
    | { readonly kind: 'open'; readonly overlay: Overlay }
}

/** Lines that belong together. */
export interface CommandGroup {
  readonly value: string
  readonly items: readonly Command[]
}

/** Everything the palette offers: pages, settings, and what is held. */
export function commandsOf(
  held: readonly HeldCall[],
  { theme, notifies, keys }: { readonly theme: Theme; readonly notifies: boolean; readonly keys: boolean },
): readonly CommandGroup[] {
  return [
    {
      value: 'Pages',
      items: PAGES.map(([to, name, words]) => ({ value: to, label: name, hint: words, does: { kind: 'go', to } })),
    },
    {
      value: 'This browser',
      items: [
        ...THEMES.filter(([one]) => one !== theme).map(
          ([one, words]): Command => ({
            value: `theme ${one}`,
            label: words,
            hint: '',
            does: { kind: 'theme', theme: one },
          }),
        ),
        {
          value: 'notify',
          label: notifies ? 'Stop notifying me' : 'Notify me of new held calls',
          hint: '',
          does: { kind: 'notify', on: !notifies },
        },
        { value: 'help', label: 'Keys and help', hint: '?', does: { kind: 'open', overlay: 'help' } },
        {
          value: 'keys',
          label: keys ? 'Turn single keys off' : 'Turn single keys on',
          hint: '',
          does: { kind: 'keys', on: !keys },
        },
        { value: 'passkey', label: 'Add a passkey', hint: '', does: { kind: 'open', overlay: 'passkey' } },
        { value: 'sign-out', label: 'Sign out', hint: '', does: { kind: 'open', overlay: 'sign-out' } },
      ],
    },
    { value: 'Held calls', items: held.map(heldCommand) },
  ]
}

function heldCommand(view: HeldCall): Command {
  const facts = factsOf(view)
  return {
    value: view.id,
    label: safeText(`${maskedEffect(view)} ${maskedBrief(view)} ${view.risk.level}`),
    hint: safeText(facts === null ? 'cannot be trusted' : `${facts.agent.at(-1) ?? ''} · ${facts.tool}`),
    view,
    does: { kind: 'go', to: `/held/${encodeURIComponent(view.id)}` },
  }
}
