import { assessShell } from '../interpreters/interpreters.ts'
import { assessEval, assessSource } from '../system/wrappers.ts'
import { fixed, type ProgramRow } from './program-row.ts'

/** Programs for shells. */
export const INTERPRETERS: readonly ProgramRow[] = [
  ['eval', assessEval],
  ['source .', assessSource],
  ['sh bash dash zsh ksh mksh ash rbash fish csh tcsh yash', assessShell],
  [
    'pwsh powershell cmd cmd.exe powershell.exe wscript cscript',
    fixed('high', 'shell.foreign', 'runs code in a shell that is not analysed'),
  ],
]
