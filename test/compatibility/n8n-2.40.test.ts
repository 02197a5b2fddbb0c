import { recipes } from '../../host/installation';
import { describeVersion } from './olderN8n';

describeVersion('2.40', recipes.n8n2_40);
