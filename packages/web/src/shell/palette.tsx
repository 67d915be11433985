import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Effect, type HeldCall, isWhole, maskedBrief, maskedEffect, RiskBadge, Safe } from '@countersign/react'
import { type ReactNode, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../approvals/context.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { type Command, type CommandGroup, commandsOf } from './commands.ts'
import { useOverlays } from './overlay.ts'

/** Lines drawn at once: what is further down is found by a letter or two. */
const MOST_LINES = 60

/** Goes anywhere by a few letters: a page, a held call, a setting. Nothing can be decided here. */
export function Palette({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): ReactNode {
  const { held } = useDesk()
  const [, go] = useLocation()
  const { open } = useOverlays()
  const { theme, notifies, keys, setTheme, setNotifies, setKeys } = usePreferences()
  const groups = useMemo(
    () => (isOpen ? commandsOf(held, { theme, notifies, keys }) : []),
    [isOpen, held, theme, notifies, keys],
  )
  const hasGone = useRef(false)

  function run({ does }: Command): void {
    hasGone.current = does.kind === 'go'
    close()
    if (does.kind === 'go') go(does.to)
    else if (does.kind === 'theme') setTheme(does.theme)
    else if (does.kind === 'notify') void setNotifies(does.on)
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
                placeholder="A page, a held call, a setting"
              />
              <Dialog.Close className="cs-quiet">Close</Dialog.Close>
            </div>
            <Autocomplete.Empty className="palette-empty">Nothing is called that.</Autocomplete.Empty>
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

/** Where one has gone: the card that was opened, or the page. */
function placeToBe(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-cs-focus]') ?? document.getElementById('main')
}

function HeldLine({ view }: { readonly view: HeldCall }): ReactNode {
  return (
    <>
      <RiskBadge level={view.risk.level} small />
      <span className="palette-label">
        <Effect text={maskedEffect(view)} request={isWhole(view) ? view.request : null} />{' '}
        <span className="palette-hint">
          <Safe text={maskedBrief(view)} />
        </span>
      </span>
    </>
  )
}
