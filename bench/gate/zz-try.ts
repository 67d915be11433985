import { benchAutomatic } from './automatic.ts'
import { benchDecision } from './decision.ts'
import { formatText } from '../table.ts'
if (process.argv[2] !== 'd') console.log(formatText({title:'automatic', rows: await benchAutomatic({reps: 25, warm: 4000})}))
if (process.argv[2] !== 'a') console.log(formatText({title:'decision', rows: await benchDecision({reps: 15, turn: 30, warm: 150})}))
