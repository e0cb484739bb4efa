package simulator

import "net/http"

func (s *Simulator) getRejections(w http.ResponseWriter, _ *http.Request) error {
	reply(w, http.StatusOK, map[string][]rejection{"waiting": s.rejections.waiting()})
	return nil
}

func (s *Simulator) postRejection(w http.ResponseWriter, r *http.Request) error {
	o := rejection{Times: 1}
	if err := decodeControlBody(w, r, &o); err != nil {
		return err
	}
	if err := s.rejections.add(o); err != nil {
		return badRequest(err)
	}
	return s.getRejections(w, r)
}

func (s *Simulator) deleteRejections(w http.ResponseWriter, r *http.Request) error {
	s.rejections.clear()
	return s.getRejections(w, r)
}
