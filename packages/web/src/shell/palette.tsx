import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import {
  CallEffect,
  type HeldCall,
  heldFacts,
  isFull,
  maskedArguments,
  maskedEffect,
  RiskBadge,
  SafeTextView,
  safeText,
} from '@countersign/react'
import { type ReactNode, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../approvals/context.ts'
import { THEMES, type Theme, usePreferences } from '../preferences/preferences.ts'
import { type Overlay, PAGES, useOverlays } from './navigation.ts'

/** Entries rendered at once; typing finds the rest. */
const MOST_LINES = 60

/** The command palette: goes to pages, held calls and settings. It cannot decide calls. */
export function Palette({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): ReactNode {
  const { held } = useDesk()
  const [, go] = useLocation()
  const { open } = useOverlays()
  const { theme, keys, setTheme, setKeys } = usePreferences()
  const groups = useMemo(() => (isOpen ? commandsOf(held, { theme, keys }) : []), [isOpen, held, theme, keys])
  const hasGone = useRef(false)

  function run({ does }: Command): void {
    hasGone.current = does.kind === 'go'
    close()
    if (does.kind === 'go') go(does.to)
    else if (does.kind === 'theme') setTheme(does.theme)
    else if (does.kind === 'keys') setKeys(does.on)
    else open(does.overlay)
  }

  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(next) => {
        hasGone.current = false
        if (!next) close()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="cs-root palette-backdrop" />
        <Dialog.Popup
          className="cs-root palette"
          aria-label="Go to"
          finalFocus={() => (hasGone.current ? placeToBe() : true)}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            limit={MOST_LINES}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ label, hint }: Command) => `${label} ${hint}`}
          >
            <div className="palette-top">
              <Autocomplete.Input
                className="palette-input"
                aria-label="Go to"
                placeholder="Search pages, held calls and settings"
              />
              <Dialog.Close className="cs-quiet">Close</Dialog.Close>
            </div>
            <Autocomplete.Empty className="palette-empty">No results</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(group: CommandGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="list-heading">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.value}
                        value={command}
                        className="palette-item"
                        onClick={() => run(command)}
                      >
                        {command.view === undefined ? (
                          <span className="palette-label">{command.label}</span>
                        ) : (
                          <HeldLine view={command.view} />
                        )}
                        <span className={command.view === undefined ? 'palette-hint' : 'palette-hint palette-who'}>
                          {command.hint}
                        </span>
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The focus target after navigation: the open card or the page. */
function placeToBe(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-cs-focus]') ?? document.getElementById('main')
}

function HeldLine({ view }: { readonly view: HeldCall }): ReactNode {
  return (
    <>
      <RiskBadge level={view.risk.level} small />
      <span className="palette-label">
        <CallEffect text={maskedEffect(view)} request={isFull(view) ? view.request : null} />{' '}
        <span className="palette-hint">
          <SafeTextView text={maskedArguments(view)} />
        </span>
      </span>
    </>
  )
}

/** An entry of the palette. SECURITY: A5 no entry decides a call. */
interface Command {
  readonly value: string
  readonly label: string
  readonly hint: string
  readonly view?: HeldCall
  readonly does:
    | { readonly kind: 'go'; readonly to: string }
    | { readonly kind: 'theme'; readonly theme: Theme }
    | { readonly kind: 'keys'; readonly on: boolean }
    | { readonly kind: 'open'; readonly overlay: Overlay }
}

/** A group of entries. */
interface CommandGroup {
  readonly value: string
  readonly items: readonly Command[]
}

/** All entries: pages, settings and held calls. */
function commandsOf(
  held: readonly HeldCall[],
  { theme, keys }: { readonly theme: Theme; readonly keys: boolean },
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
          label: 'Notify me of held calls',
          hint: '',
          does: { kind: 'go', to: '/settings' },
        },
        { value: 'help', label: 'Keyboard shortcuts', hint: '?', does: { kind: 'open', overlay: 'help' } },
        {
          value: 'keys',
          label: keys ? 'Turn off single-key shortcuts' : 'Turn on single-key shortcuts',
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
  const facts = heldFacts(view)
  return {
    value: view.id,
    label: safeText(`${maskedEffect(view)} ${maskedArguments(view)} ${view.risk.level}`),
    hint: safeText(facts === null ? 'invalid request' : `${facts.agent.at(-1) ?? ''} · ${facts.tool}`),
    view,
    does: { kind: 'go', to: `/held/${encodeURIComponent(view.id)}` },
  }
}
