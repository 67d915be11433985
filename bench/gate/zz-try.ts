import { benchAutomatic } from './automatic.ts'
import { benchDecision } from './decision.ts'
import { formatText } from '../table.ts'
if (process.argv[2] !== 'd') console.log(formatText({title:'automatic', rows: await benchAutomatic({reps: 25, warm: 4000})}))
if (process.argv[2] !== 'a') console.log(formatText({title:'decision', rows: await benchDecision({reps: 20, turn: 50, warm: 2000})}))
